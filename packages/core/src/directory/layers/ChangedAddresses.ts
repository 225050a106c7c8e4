/**
 * The addresses of units that were added, or whose attributes changed, since the edition. They are indexed apart from
 * those of the edition, all together.
 */
import type { Postcode } from "../../postcode/Postcode.ts"
import type { ChangeKind } from "../changes/UnitChange.ts"
import { pack } from "../codes/PackedCode.ts"
import { Directory } from "../Directory.ts"
import { DirectoryBuilder } from "../DirectoryBuilder.ts"
import type { Place } from "../places/Place.ts"
import { type IndexedWords, scaleRarities } from "../text/scaleRarities.ts"
import type { LiveDirectory } from "./LiveDirectory.ts"

/** An indexing task, as plain data that can be sent to another thread. */
export interface AddressTask {
  /** The words of the edition, which say how rare each is. */
  readonly words: IndexedWords
  readonly places: ReadonlyArray<Place>
  /** Packed, each once. */
  readonly codes: ReadonlyArray<number>
  /** By unit; an empty text if it has none. */
  readonly localities: ReadonlyArray<string>
  readonly addresses: ReadonlyArray<string>
}

/** A directory of the units alone, for `LiveDirectory.setAddresses`. */
export const indexChangedAddresses = ({ addresses, codes, localities, places, words }: AddressTask): Directory => {
  const builder = new DirectoryBuilder({ addresses: true, capacity: codes.length })
  for (const place of places) builder.addPlace(place)
  for (const [at, code] of codes.entries()) {
    const address = { locality_name: localities[at] ?? "", recent_address: addresses[at] ?? "" }
    builder.addPackedUnit(code, 0, 0, true, address)
  }
  const built = builder.build()
  if (!built.ok || built.directory.addresses === undefined) throw new Error("expected each unit once")
  return new Directory({ ...built.directory.contents, addresses: scaleRarities(built.directory.addresses, words) })
}

/** Whether changes of a kind may affect the address of a unit. */
export const isOfAddress = (kind: ChangeKind): boolean => kind === "add" || kind === "set"

export class ChangedAddresses {
  private readonly live: LiveDirectory
  private readonly index: (task: AddressTask) => Promise<Directory>
  private readonly rowOf = new Map<number, number>()
  private readonly localities: Array<string> = []
  private readonly addresses: Array<string> = []
  private hasNew = false
  private arrival = signal()
  private isClosed = false

  /** @param index `indexChangedAddresses`, by default in this thread */
  constructor(live: LiveDirectory, index = async (task: AddressTask) => indexChangedAddresses(task)) {
    this.live = live
    this.index = index
  }

  /** Takes the address of a unit that was added, or whose attributes were set; empty texts if it has none. */
  take(postcode: Postcode, locality: string, address: string): void {
    const code = pack(postcode)
    const row = this.rowOf.get(code) ?? this.rowOf.size
    if (this.localities[row] === locality && this.addresses[row] === address) return
    this.rowOf.set(code, row)
    this.localities[row] = locality
    this.addresses[row] = address
    this.announceNew()
  }

  /**
   * Resolves when there are addresses that are not indexed. `close` resolves it, too, and an index that is aborted after
   * it is no failure.
   */
  get awaitNew(): Promise<void> {
    return this.arrival.sent
  }

  close(): void {
    this.isClosed = true
    this.announceNew()
  }

  /** Indexes all addresses if there are new ones. Returns whether there were. */
  async refresh(): Promise<boolean> {
    const { addresses: words, places } = this.live.current
    if (!this.hasNew) return false
    this.hasNew = false
    this.arrival = signal()
    if (words === undefined) return false
    try {
      const { addresses, localities } = this
      const codes = [...this.rowOf.keys()]
      this.live.setAddresses(await this.index({ words: wordsOf(words), places, codes, localities, addresses }))
      return true
    } catch (error) {
      if (this.isClosed) return false
      this.announceNew()
      throw error
    }
  }

  private announceNew(): void {
    this.hasNew = true
    this.arrival.send()
  }
}

const signal = (): { readonly sent: Promise<void>; readonly send: () => void } => {
  let send = () => {}
  const sent = new Promise<void>((resolve) => {
    send = resolve
  })
  return { sent, send }
}

const wordsOf = ({ wordBytes, wordRarities, wordStarts }: IndexedWords): IndexedWords => {
  return { wordBytes, wordRarities, wordStarts }
}
