import { existsSync } from 'node:fs'
import { formatBytes, formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import {
  type BackupKeys,
  type LostFile,
  listBackupFiles,
  lostFileText,
  makeBackup,
  makeBackupKeys,
  openVault,
  readArchiveHead,
  readBackupKeys,
  restoreBackup,
  settleRecovered,
  type Vault,
  vaultOfFile,
  verifyBackupFile,
} from '#backups/public.ts'
import { extendAuditChain, verifyAuditChain } from '#platform/audit/audit-chain.ts'
import { systemClock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { openDb } from '#platform/db/db.ts'
import { openPool } from '#platform/db/pool.ts'
import { makeKeyring } from '#platform/security/secrets.ts'
import { makeStorage } from '#platform/storage/open-storage.ts'
import { silentLog } from '#platform/telemetry/log.ts'
import { type Command, embeddedBackupKey, print, withConfig } from './command.ts'

async function withInstallation<T>(config: Config, run: (maker: Parameters<typeof makeBackup>[0]) => Promise<T>) {
  const db = openDb(openPool(config.databaseUrl, { size: 3 }))
  const keyring = makeKeyring(config.secretKey, config.oldSecretKeys)
  try {
    return await run({ config, db, clock: systemClock, log: silentLog, keyring, storage: await makeStorage(config) })
  } finally {
    await db.destroy()
  }
}

const backup: Command = {
  usage: '',
  about: 'make an encrypted backup and verify it by restoring it into a scratch database',
  options: {},
  run: () =>
    withConfig((config) =>
      withInstallation(config, async (maker) => {
        const made = await makeBackup(maker)
        if (made.state !== 'verified') throw new Error(`The backup is ${made.state}: ${made.error}`)
        const { file, size, tables, rows, files, key_id } = made
        print(
          `Made and verified ${file} (${formatBytes(size ?? 0)}; ${tables} tables, ${formatInteger(rows ?? 0)} rows, ${files} files; key ${key_id}).`,
        )
        print(`It is stored in ${(await openVault(config)).location}.`)
      }),
    ),
}

const list: Command = {
  usage: '',
  about: 'list the backups in the backup storage',
  options: {},
  run: () =>
    withConfig(async (config) => {
      const vault = await openVault(config)
      const found = await listBackupFiles(vault)
      for (const { file, size, takenAt, keyId } of found)
        print(`${takenAt.toISOString()}  ${formatBytes(size).padStart(12)}  key ${keyId}  ${file}`)
      print(found.length > 0 ? `${found.length} in ${vault.location}.` : `There are no backups in ${vault.location}.`)
    }),
}

/** Finds a local file by its path, or a file in the backup storage by its name. */
async function findFile(config: Config, name: string | undefined): Promise<{ vault: Vault; file: string }> {
  if (!name) throw new Error('Name a backup: a path, or a name from npm run limber -- backup list')
  return existsSync(name) ? vaultOfFile(name) : { vault: await openVault(config), file: name }
}

const UNNAMED =
  'This backup uses an older format that does not protect its file name. Check that it is the backup you want.'

const printLost = (lost: readonly LostFile[]) => {
  for (const each of lost) print(lostFileText(each))
}

const verify: Command = {
  usage: 'FILE',
  about: 'restore a backup into a scratch database, compare counts and hashes, and read every file it lists',
  options: {},
  run: (_, [name]) =>
    withConfig(async (config) => {
      const { vault, file } = await findFile(config, name)
      const { databaseUrl, backup: settings } = config
      const scratch = { databaseUrl, scratchUrl: settings.scratchUrl }
      const found = await verifyBackupFile(scratch, vault, file, readBackupKeys(config))
      const { tables, files, lost, isNameSealed } = found
      if (!isNameSealed) print(UNNAMED)
      printLost(lost)
      if (lost.length > 0)
        throw new Error(
          `${file} is incomplete: ${lost.length} of its ${formatInteger(files.length)} files are missing or damaged.`,
        )
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      print(
        `${file} is complete: ${tables.length} tables, ${formatInteger(rows)} rows, ${formatInteger(files.length)} files.`,
      )
    }),
}

async function restoreInto(config: Config, { vault, file }: { vault: Vault; file: string }, keys: BackupKeys) {
  const storage = await makeStorage(config)
  const keyring = makeKeyring(config.secretKey, config.oldSecretKeys)
  print(`Restoring ${file} ...`)
  const { databaseUrl } = config
  const done = await restoreBackup({ databaseUrl, storage, clock: systemClock, keyring }, vault, file, keys, print)
  const { head, tables, rows, files, lost, ended, held, applied, hasOtherSecret, isNameSealed } = done
  await withInstallation(config, async (maker) => {
    await extendAuditChain(maker.db)
    const chain = await verifyAuditChain(maker.db)
    print(`Restored the state of ${head.takenAt}: ${tables} tables, ${formatInteger(rows)} rows, ${files} files.`)
    if (!isNameSealed) print(UNNAMED)
    if (applied.length > 0) print(`Applied migrations: ${applied.join(', ')}.`)
    print(
      `Ended ${ended} sessions. Held back ${held} waiting messages, because they may have been sent since the backup.`,
    )
    print(
      chain.isWhole ? `The audit log is intact (${formatInteger(chain.checked)} rows).` : `AUDIT LOG: ${chain.problem}`,
    )
    if (hasOtherSecret)
      print(
        'SECRET_KEY differs from the key of the backup. Set that key, or add it to SECRET_KEYS_OLD; until then no one can sign in.',
      )
    printLost(lost)
  })
  // The company is usable, but scripts must notice the missing files.
  if (lost.length > 0) process.exitCode = 1
}

const restore: Command = {
  usage: 'FILE',
  about: 'restore a backup (a path, or a name from backup list) into an empty database',
  options: {},
  async run(_, [name]) {
    if (process.env.DATABASE_URL)
      return withConfig(async (config) => restoreInto(config, await findFile(config, name), readBackupKeys(config)))
    if (!name || !existsSync(name)) throw new Error('Enter the path of a backup on this machine.')
    // The sample company and the user's own company have separate databases. The backup says which one it is.
    const keys = makeBackupKeys(await embeddedBackupKey(), process.env.BACKUP_KEYS_OLD?.split(',').filter(Boolean))
    const found = vaultOfFile(name)
    const { isSample } = await readArchiveHead(found.vault, found.file, keys)
    const into = { company: isSample ? 'sample' : 'own', mayCreate: true } as const
    await withConfig((config) => restoreInto(config, found, keys), into)
    print(`Start it with: npm start${isSample ? '' : ' -- --empty'}`)
  },
}

const recovered: Command = {
  usage: '',
  about: 'after PostgreSQL went back to an earlier moment: end all sessions and hold back waiting messages',
  options: {},
  run: () =>
    withConfig(async ({ databaseUrl }) => {
      const { ended, held } = await settleRecovered(databaseUrl, systemClock.now())
      print(
        `Ended ${ended} sessions. Held back ${held} waiting messages, because they may have been sent after that moment.`,
      )
    }),
}

/** Commands about backups. */
export const backupCommands: Record<string, Command> = {
  'backup list': list,
  'backup verify': verify,
  backup,
  restore,
  recovered,
}
