/** The current directory of a worker thread, as the main thread reports it. */
import { setImmediate } from "node:timers/promises"
import { Directory } from "@postcode/core/Directory"
import {
  type DirectoryLayers,
  LiveDirectory,
  maxStep,
  partsOf,
  type UnitStates,
  withTextsOf
} from "@postcode/core/LiveDirectory"
import type { DirectoryMessage, DirectoryUpdate } from "./SharedDirectory.ts"

interface OpenedDirectory extends Omit<DirectoryMessage, "layers"> {
  readonly live: LiveDirectory
}

export class ThreadDirectory {
  private opened: OpenedDirectory
  private updated: Promise<void> = Promise.resolve()

  private constructor(opened: OpenedDirectory) {
    this.opened = opened
  }

  static async open(message: DirectoryMessage): Promise<ThreadDirectory> {
    return new ThreadDirectory(await open(message))
  }

  get current(): Directory {
    return this.opened.live.current
  }

  get edition(): number | undefined {
    return this.opened.edition
  }

  /** When the edition of this version became current; undefined if it is another one, or the time is unknown. */
  since(version: string): string | undefined {
    return version === this.current.version ? this.opened.since : undefined
  }

  /** Updates one after the other, in steps of a few milliseconds. Each becomes current as a whole. */
  take(update: DirectoryUpdate): Promise<void> {
    this.updated = this.updated.then(() => this.apply(update))
    return this.updated
  }

  private async apply(update: DirectoryUpdate): Promise<void> {
    const { live } = this.opened
    if (update._tag === "DirectoryOpened") {
      this.opened = await open(update.directory, update.isMerged ? live.current : undefined)
    } else if (update._tag === "UnitsChanged") await advance(live, update.states, update.changes)
    else live.setAddresses(new Directory(update.addresses))
  }
}

/** @param merged the directory that was merged, if it was */
const open = async ({ layers, ...message }: DirectoryMessage, merged?: Directory): Promise<OpenedDirectory> => {
  return { ...message, live: await openLayers(layers, merged) }
}

const openLayers = async (
  { addresses, changes, edition, states }: DirectoryLayers,
  merged: Directory | undefined
): Promise<LiveDirectory> => {
  const opened =
    merged === undefined
      ? new Directory(edition)
      : new Directory(withTextsOf(edition, merged), { layers: [], names: merged.names })
  const live = new LiveDirectory(opened)
  await advance(live, states, changes)
  if (addresses !== undefined) live.setAddresses(new Directory(addresses))
  return live
}

const advance = async (live: LiveDirectory, states: UnitStates, changes: number): Promise<void> => {
  for (const part of partsOf(states, maxStep)) {
    live.stage(part)
    await setImmediate()
  }
  live.show(changes)
}
