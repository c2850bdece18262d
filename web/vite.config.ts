import type { IncomingMessage } from 'node:http'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { leanZod } from './scripts/lean-zod.ts'
import { precompress } from './scripts/precompress.ts'

const server = process.env.LIMBER_DEV_SERVER ?? 'http://localhost:3000'

// Some parts of the libraries are used by a few screens only; those stay out of the sign-in page. Small modules of our own
// that every page needs cost more alone.
const EVERYWHERE =
  /node_modules\/(react|react-dom|scheduler|clsx|zod|@tanstack\/(react-query|query-core)(?!.*(queries|infinite))|@mantine\/core\/esm\/core)\/|web\/src\/(platform\/clock|platform\/routing\/title|ui\/layout\/class-names)\.ts/i

/** Pages and calls share some paths: a browser that asks for HTML gets the app, everybody else the server. */
const callsOnly = {
  target: server,
  bypass: (request: IncomingMessage) => (request.headers.accept?.includes('text/html') ? request.url : undefined),
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [leanZod(), react(), precompress()],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2024',
    manifest: true,
    // Data addresses in CSS or HTML would need exceptions in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What every page needs travels in one file: many small ones pack worse.
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: 'base', test: EVERYWHERE }] },
        // Hashes do not compress, and each page names many files. This is the shortest that rolldown accepts.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
      },
    },
  },
  worker: { format: 'es' },
  server: {
    port: 5173,
    proxy: {
      '/api': server,
      '/.well-known': server,
      '/live': server,
      '/onboarding': callsOnly,
      '/certifications': callsOnly,
    },
  },
})
