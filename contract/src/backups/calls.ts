import { exportBackups, listBackups, readBackup, startBackup, verifyBackup } from './backup.ts'

export const backupsCalls = [exportBackups, listBackups, readBackup, startBackup, verifyBackup]
