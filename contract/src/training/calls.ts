import { bulkUploadAssets, deleteAsset, listAssets, readAssetUsage, readFile, uploadAsset } from './assets/asset.ts'
import {
  checkReadiness,
  createCourse,
  deleteCourse,
  getCourse,
  listCourses,
  updateCourse,
  updateCourseTheme,
} from './courses/course.ts'
import { createModule, deleteModule, listModules, reorderModules, updateModule } from './courses/module.ts'
import { enrollLearner, findCandidates, grantAttempt, listEnrollments, removeLearner } from './learners/enrollment.ts'
import { readCourseFigures } from './learners/figures.ts'
import { recordProgress, startAttempt, submitAttempt } from './learners/portal.ts'
import {
  addQuestion,
  createLesson,
  deleteLesson,
  getLesson,
  listLessons,
  putLesson,
  reorderLessons,
  updateLesson,
} from './lessons/lesson.ts'

export const trainingCalls = [
  listCourses,
  getCourse,
  createCourse,
  updateCourse,
  deleteCourse,
  updateCourseTheme,
  checkReadiness,
  listModules,
  createModule,
  updateModule,
  deleteModule,
  reorderModules,
  listLessons,
  getLesson,
  createLesson,
  updateLesson,
  putLesson,
  addQuestion,
  deleteLesson,
  reorderLessons,
  listAssets,
  readAssetUsage,
  deleteAsset,
  uploadAsset,
  bulkUploadAssets,
  readFile,
  listEnrollments,
  findCandidates,
  enrollLearner,
  removeLearner,
  grantAttempt,
  readCourseFigures,
  recordProgress,
  startAttempt,
  submitAttempt,
]
