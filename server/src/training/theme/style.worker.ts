import { parentPort, workerData } from 'node:worker_threads'
import { cleanStyles } from './style.rules.ts'
import type { Sheet } from './style-thread.ts'

// One thread per save: it exits with its reply, and frees whatever a hostile text used.
parentPort?.postMessage((workerData as Sheet[]).map(({ source, scope }) => cleanStyles(source, scope)))
