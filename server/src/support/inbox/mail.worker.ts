import { parentPort } from 'node:worker_threads'
import { parseMail } from './parse-mail.ts'

async function answer(raw: Uint8Array) {
  try {
    const mail = await parseMail(raw)
    const buffers = [...new Set(mail.files.map(({ content }) => content.buffer))]
    parentPort?.postMessage(mail, buffers)
  } catch {
    parentPort?.postMessage(undefined)
  }
}

parentPort?.on('message', (raw: Uint8Array) => void answer(raw))
