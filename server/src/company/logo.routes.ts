import { LOGO_TYPES, MAX_LOGO_BYTES, readLogo, removeLogo, uploadLogo } from '@limber/contract/company/company.ts'
import { findCompany } from '#platform/company/company.queries.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Context, serve } from '#platform/http/routes.ts'
import { sendFile } from '#platform/http/send-file.ts'
import {
  BadUpload,
  discard,
  discardUncommitted,
  type FileFault,
  receiveFiles,
} from '#platform/uploads/receive-files.ts'
import { makeQuotaCounter } from '#platform/uploads/upload-quota.ts'
import { presentCompany } from './company.present.ts'
import { lockCompany, saveLogo } from './company.queries.ts'
import { requireOwner } from './require-owner.ts'

const types: readonly string[] = LOGO_TYPES
const logoKey = (name: string) => `company/${name}`

const faults = {
  empty_file: 'malformed',
  wrong_type: 'wrong_type',
  damaged: 'damaged',
  too_large: 'too_large',
  too_many_pixels: 'too_large',
} as const satisfies Record<FileFault, string>

async function receive({ request, worker, services }: Context<typeof uploadLogo>) {
  try {
    return await receiveFiles(request.raw, {
      isFile: (part) => part === 'file',
      maxFiles: 1,
      storage: services.storage,
      keyOf: logoKey,
      accepts: (mime) => types.includes(mime),
      spend: makeQuotaCounter(services, worker.workerId),
    })
  } catch (error) {
    if (error instanceof BadUpload) throw refuse(uploadLogo, error.code === 'quota' ? 'quota' : 'malformed')
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw refuse(uploadLogo, 'storage_full')
    throw error
  }
}

export const logoRoutes = [
  serve(
    uploadLogo,
    async (context) => {
      const { worker, services, once } = context
      requireOwner(uploadLogo, worker)
      const { files, fingerprint } = await receive(context)
      try {
        const [file] = files
        if (!file) throw refuse(uploadLogo, 'malformed')
        if (file.fault) throw refuse(uploadLogo, faults[file.fault])
        const { staged } = file
        if (!staged) throw refuse(uploadLogo, 'malformed')
        if (staged.originalSize > MAX_LOGO_BYTES) throw refuse(uploadLogo, 'too_large')
        let replaced: string | null = null
        const { reply, isRepeat } = await once(fingerprint, async ({ db, audit, publish }) => {
          replaced = (await lockCompany(db)).logo
          const logo = { logo: staged.name, logo_type: staged.kind.mime, logo_bytes: staged.finalSize }
          const saved = await saveLogo(db, logo)
          audit({ action: 'logo_changed', subject: 'company', after: { filename: staged.filename } })
          publish('company')
          return { company: presentCompany(saved) }
        })
        if (isRepeat) await discard(services.storage, files, logoKey)
        else if (replaced) await services.storage.delete(logoKey(replaced))
        return reply
      } catch (error) {
        await discardUncommitted(error, services.storage, files, logoKey)
        throw error
      }
    },
    { transaction: 'none' },
  ),

  serve(removeLogo, async ({ worker, db, audit, publish }) => {
    requireOwner(removeLogo, worker)
    const { logo } = await lockCompany(db)
    const saved = await saveLogo(db, { logo: null, logo_type: null, logo_bytes: null })
    if (logo) audit({ action: 'logo_removed', subject: 'company' })
    publish('company')
    return { company: presentCompany(saved) }
  }),

  serve(readLogo, async ({ params, request, reply, services: { db, storage } }) => {
    const { logo, logo_type, logo_bytes } = await findCompany(db)
    const isCurrent = logo !== null && logo === params.name
    return sendFile({
      file: isCurrent
        ? { key: logoKey(logo), filename: logo, mime: logo_type ?? '', bytes: logo_bytes ?? 0 }
        : undefined,
      storage,
      isDownload: false,
      request,
      reply,
      refusal: (code) => refuse(readLogo, code),
    })
  }),
]
