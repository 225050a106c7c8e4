/** The current edition of the database, shared with other threads. */
import type { DirectoryUpdate, OpenedDirectory } from "@postcode/core/LiveDirectory"
import { type FollowedEdition, openedDirectory } from "@postcode/postgres"
import type { SharedDirectory } from "./SharedDirectory.ts"

export class SharedEdition implements SharedDirectory {
  /** Attributes are in the database. */
  readonly attributes = undefined
  private opened: FollowedEdition | undefined
  private readonly followers = new Set<(update: DirectoryUpdate) => void>()

  take(update: DirectoryUpdate, edition: FollowedEdition): void {
    this.opened = edition
    for (const notify of this.followers) notify(update)
  }

  current(): OpenedDirectory {
    if (this.opened === undefined) throw new Error("no edition was opened yet")
    return openedDirectory(this.opened)
  }

  follow(onUpdate: (update: DirectoryUpdate) => void): () => void {
    this.followers.add(onUpdate)
    return () => this.followers.delete(onUpdate)
  }
}
