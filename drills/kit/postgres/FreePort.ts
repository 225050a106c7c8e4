/** Ports for servers that need a fixed port, also while they are stopped. */
import { randomInt } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:net"

/**
 * A port that no process listens on. It is below the ephemeral ports, which the system could assign to another process
 * before the server listens.
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
