import type { ContentData, ContentType, MixedComponent } from '@limber/contract/training/lessons/content.ts'
import type { Answer, Question } from '@limber/contract/training/lessons/question.ts'
import type { Theme } from '@limber/contract/training/theme/theme.ts'
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, never, never>
/** JSON goes in as text, so that an array is never taken for a PostgreSQL array. */
type Json<T> = ColumnType<T, string, string>
type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>

export type AssetKind = 'image' | 'video' | 'audio' | 'document' | 'other'

declare module '#platform/db/db.ts' {
  interface Tables {
    training_courses: {
      id: Fixed<number>
      course_key: string
      title: string
      description: string | null
      difficulty_level: Generated<'beginner' | 'intermediate' | 'advanced'>
      estimated_duration_hours: ColumnType<string | null, number | null | undefined, number | null>
      is_required: Generated<boolean>
      is_active: Generated<boolean>
      stylesheet: Generated<string>
      theme: JsonOrNull<Theme>
      styles: Generated<string>
      version: Generated<number>
      created_at: Date
      updated_at: Date
      search_text: Fixed<string>
    }
    training_course_prerequisites: { course_id: number; requires_id: number }
    training_modules: {
      id: Fixed<number>
      course_id: number
      module_key: string
      title: string
      description: string | null
      estimated_duration_minutes: number | null
      is_required: Generated<boolean>
      is_active: Generated<boolean>
      position: number
      version: Generated<number>
      created_at: Date
      updated_at: Date
    }
    training_module_prerequisites: { module_id: number; requires_id: number; course_id: number }
    training_lessons: {
      id: Fixed<number>
      course_id: number
      module_id: number
      lesson_key: string
      title: string
      description: string | null
      content_type: ContentType
      content: Json<ContentData>
      kept_components: JsonOrNull<MixedComponent[]>
      styles: Generated<string>
      question_count: Generated<number>
      allows_html: Generated<boolean>
      duration_minutes: number | null
      is_required: Generated<boolean>
      is_active: Generated<boolean>
      passing_score: number | null
      max_attempts: Generated<number>
      position: number
      version: Generated<number>
      created_at: Date
      updated_at: Date
    }
    training_lesson_prerequisites: { lesson_id: number; requires_id: number; module_id: number }
    training_lesson_references: { lesson_id: number; refers_to: number; course_id: number }
    training_assets: {
      id: Fixed<number>
      name: string
      type: AssetKind
      filename: string
      mime_type: string
      quality: 'low' | 'medium' | 'high'
      original_size: number
      final_size: number
      width: number | null
      height: number | null
      duration: number | null
      pages: number | null
      course_id: number | null
      lesson_id: number | null
      worker_id: number | null
      created_at: Date
    }
    training_asset_uses: { asset_id: number; lesson_id: number; is_kept: Generated<boolean> }
    training_enrolments: {
      course_id: number
      customer_id: number
      enrolled_at: Date
      started_at: Date | null
      completed_at: Date | null
      last_seen_at: Date | null
    }
    training_progress: {
      lesson_id: number
      customer_id: number
      started_at: Date
      completed_at: Date | null
      reported_at: Date
      seconds: Generated<number>
    }
    training_attempts: {
      id: Fixed<number>
      lesson_id: number
      customer_id: number
      component: Generated<number>
      number: number
      questions: Json<Question[]>
      answers: JsonOrNull<Record<string, Answer>>
      results: JsonOrNull<Record<string, boolean>>
      passing_score: number
      started_at: Date
      due_at: Date | null
      submitted_at: Date | null
      is_late: Generated<boolean>
      points: number | null
      possible: number | null
      score: number | null
      is_passed: boolean | null
    }
    training_extra_attempts: { lesson_id: number; customer_id: number; component: Generated<number>; extra: number }
  }
}
