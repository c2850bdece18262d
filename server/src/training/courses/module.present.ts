import type { Module } from '@limber/contract/training/courses/module.ts'
import type { ModuleRecord } from './module.queries.ts'

export const presentModule = (row: ModuleRecord): Module => ({
  id: row.id,
  course_key: row.course_key,
  module_key: row.module_key,
  title: row.title,
  description: row.description,
  estimated_duration_minutes: row.estimated_duration_minutes,
  prerequisites: row.prerequisites,
  is_required: row.is_required,
  is_active: row.is_active,
  lessonCount: row.lessons,
  position: row.position,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  version: row.version,
})
