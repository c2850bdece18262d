import { makeProxy } from './testing.tcp-proxy.ts'
import { copyTemplate, startTestServer } from './testing.ts'

/** A test server whose database is behind a proxy. */
export async function startBehindProxy() {
  const database = await copyTemplate()
  const url = new URL(database.url)
  const proxy = makeProxy(url)
  const through = new URL(url)
  // The proxy supports TCP only.
  through.searchParams.delete('host')
  through.hostname = '127.0.0.1'
  through.port = String(await proxy.listen())
  const server = await startTestServer({ env: { DATABASE_URL: through.href } })
  const stop = async () => {
    await server.stop()
    proxy.close()
    await database.drop()
  }
  return { server, proxy, stop }
}
