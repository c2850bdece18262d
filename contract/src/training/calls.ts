import { bulkUploadAssets, deleteAsset, listAssets, readAssetUsage, readFile, uploadAsset } from './asset.ts'
import {
  checkReadiness,
  createCourse,
  deleteCourse,
  getCourse,
  listCourses,
  updateCourse,
  updateCourseTheme,
} from './course.ts'
import { enrolLearner, findCandidates, grantAttempt, listEnrolments, removeLearner } from './enrolment.ts'
import { readCourseFigures } from './figures.ts'
import {
  addQuestion,
  createLesson,
  deleteLesson,
  getLesson,
  listLessons,
  putLesson,
  reorderLessons,
  updateLesson,
} from './lesson.ts'
import { createModule, deleteModule, listModules, reorderModules, updateModule } from './module.ts'
import { recordProgress, startAttempt, submitAttempt } from './portal.ts'

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
  listEnrolments,
  findCandidates,
  enrolLearner,
  removeLearner,
  grantAttempt,
  readCourseFigures,
  recordProgress,
  startAttempt,
  submitAttempt,
]
