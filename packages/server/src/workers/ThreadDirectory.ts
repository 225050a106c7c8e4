/** The current directory of a worker thread, as the main thread reports it. */
import { setImmediate } from "node:timers/promises"
import { Directory } from "@postcode/core/Directory"
import {
  type DirectoryLayers,
  type DirectoryUpdate,
  LiveDirectory,
  maxStep,
  type OpenedDirectory,
  partsOf,
  type UnitStates,
  withTextsOf
} from "@postcode/core/LiveDirectory"

interface ThreadEdition extends Omit<OpenedDirectory, "layers"> {
  readonly live: LiveDirectory
}

export class ThreadDirectory {
  private opened: ThreadEdition
  private updated: Promise<void> = Promise.resolve()

  private constructor(opened: ThreadEdition) {
    this.opened = opened
  }

  static async open(directory: OpenedDirectory): Promise<ThreadDirectory> {
    return new ThreadDirectory(await open(directory))
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
    switch (update._tag) {
      case "Opened":
        this.opened = await open(update.directory)
        break
      case "Changed":
        await advance(live, update.states, update.changes)
        break
      case "Merged":
        this.opened = { ...this.opened, live: await openLayers(update.layers, live.current) }
        break
      case "Indexed":
        live.setAddresses(new Directory(update.addresses))
    }
  }
}

const open = async ({ layers, ...edition }: OpenedDirectory): Promise<ThreadEdition> => ({
  ...edition,
  live: await openLayers(layers)
})

/** @param merged the directory that was merged into the edition of these layers, if it was */
const openLayers = async (
  { addresses, changed, changes, edition }: DirectoryLayers,
  merged?: Directory
): Promise<LiveDirectory> => {
  const opened =
    merged === undefined
      ? new Directory(edition)
      : new Directory(withTextsOf(edition, merged), { layers: [], names: merged.names })
  const live = new LiveDirectory(opened)
  await advance(live, changed, changes)
  if (addresses !== undefined) live.setAddresses(new Directory(addresses))
  return live
}

const advance = async (live: LiveDirectory, states: ReadonlyArray<UnitStates>, changes: number): Promise<void> => {
  for (const some of states) {
    for (const part of partsOf(some, maxStep)) {
      live.stage(part)
      await setImmediate()
    }
  }
  live.show(changes)
}
