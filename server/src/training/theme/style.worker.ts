import { parentPort, workerData } from 'node:worker_threads'
import { cleanStyles } from './style.rules.ts'
import type { Sheet } from './style-thread.ts'

// A thread for one save: it ends with its answer, and with it whatever a hostile text took.
parentPort?.postMessage((workerData as Sheet[]).map(({ source, scope }) => cleanStyles(source, scope)))
