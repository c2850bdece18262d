import { listBackups, readBackup, startBackup, verifyBackup } from './backup.ts'

export const backupsCalls = [listBackups, readBackup, startBackup, verifyBackup]
