import { parentPort } from 'node:worker_threads'
import { parseMail } from './parse-mail.ts'

parentPort?.on('message', async (raw: Uint8Array) => {
  try {
    const mail = await parseMail(raw)
    const buffers = [...new Set(mail.files.map(({ content }) => content.buffer))]
    parentPort?.postMessage(mail, buffers)
  } catch {
    parentPort?.postMessage(undefined)
  }
})
