export { UnreadableFile } from './file/decode-file.ts'
export { runImport } from './run-import.ts'
