export { UnreadableFile } from './file/decode-file.ts'
export { importFromPath } from './import-from-path.ts'
