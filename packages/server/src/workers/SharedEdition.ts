/** The current edition of the database, shared with other threads. */
import type { DirectoryUpdate as EditionUpdate, FollowedEdition } from "@postcode/postgres"
import type { DirectoryMessage, DirectoryUpdate, SharedDirectory } from "./SharedDirectory.ts"

export class SharedEdition implements SharedDirectory {
  /** Attributes are in the database. */
  readonly attributes = undefined
  private opened: FollowedEdition | undefined
  private readonly followers = new Set<(update: DirectoryUpdate) => void>()

  take(update: EditionUpdate): void {
    const before = this.opened
    if (update._tag === "Opened") this.opened = update.edition
    const { followers } = this
    if (followers.size === 0) return
    const message = updateOf(update, before)
    for (const notify of followers) notify(message)
  }

  current(): DirectoryMessage {
    if (this.opened === undefined) throw new Error("no edition was opened yet")
    return messageOf(this.opened)
  }

  follow(onUpdate: (update: DirectoryUpdate) => void): () => void {
    this.followers.add(onUpdate)
    return () => this.followers.delete(onUpdate)
  }
}

const updateOf = (update: EditionUpdate, before: FollowedEdition | undefined): DirectoryUpdate => {
  switch (update._tag) {
    case "Opened": {
      const { edition } = update
      return { _tag: "DirectoryOpened", directory: messageOf(edition), isMerged: edition === before }
    }
    case "Changed":
      return { ...update, _tag: "UnitsChanged" }
    case "Indexed":
      return { _tag: "AddressesIndexed", addresses: update.addresses.contents }
  }
}

const messageOf = ({ edition, live, since }: FollowedEdition): DirectoryMessage => ({
  layers: live.layers,
  edition,
  since
})
