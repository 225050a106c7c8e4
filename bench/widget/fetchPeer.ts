/** Peers are installed by npm, each into its own temporary folder. */
import { join } from "node:path"
import { installPackages } from "../setUp/installPackages.ts"
import type { Peer, Subject } from "./Subject.ts"

/**
 * @param signal ends npm
 * @throws Error if npm cannot install it
 */
export const fetchPeer = async (peer: Peer, within: string, signal: AbortSignal): Promise<Subject> => {
  const folder = join(within, peer.package.replace(/\W+/g, "-"))
  await installPackages(folder, [`${peer.package}@${peer.version}`], signal)
  return { name: nameOf(peer), script: peer.script, folder }
}

export const nameOf = (peer: Peer): string => `${peer.package} ${peer.version}`
