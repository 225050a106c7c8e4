/** Peers are installed by npm, each into its own temporary folder. */
import { execFile } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { npm } from "../../scripts/child.mjs"
import type { Peer, Subject } from "./Subject.ts"

/**
 * @param signal ends npm
 * @throws Error if npm cannot install it
 */
export const fetchPeer = async (peer: Peer, within: string, signal: AbortSignal): Promise<Subject> => {
  const folder = join(within, peer.package.replace(/\W+/g, "-"))
  await mkdir(folder)
  await writeFile(join(folder, "package.json"), "{}")
  const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--loglevel=error"]
  await promisify(execFile)(...npm("npm", [...install, `${peer.package}@${peer.version}`]), {
    cwd: folder,
    signal,
    timeout: timeout_ms
  })
  return { name: nameOf(peer), script: peer.script, folder }
}

export const nameOf = (peer: Peer): string => `${peer.package} ${peer.version}`

const timeout_ms = 180_000
