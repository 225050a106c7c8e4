/** Ports for servers that are told theirs before they listen, and that keep it while they are stopped. */
import { randomInt } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:net"

/**
 * A port of this machine that nothing listens at. It is below those that systems hand out themselves, to servers and to
 * outgoing connections: one of these could be taken before the server listens.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(lowest, highest)
    if (await isFree(port)) return port
  }
}

const lowest = 11_000
const highest = 20_000

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, "127.0.0.1")
  try {
    await once(server, "listening")
  } catch {
    return false
  }
  server.close()
  await once(server, "close")
  return true
}
