/**
 * The size of the picker in a page, and the time until its field is usable, compared with other pickers.
 * bench/README.md explains each figure.
 */
import { basename } from "node:path"
import { launchBrowser } from "../packages/widget/test/Browser.ts"
import { type Bench, compared, type Figure } from "./Bench.ts"
import { median } from "./measure.ts"
import { inTemporaryFolder } from "./setUp/TemporaryFolder.ts"
import { bundleSubject, type Script } from "./widget/bundleSubject.ts"
import { fetchPeer, nameOf } from "./widget/fetchPeer.ts"
import { type PickerPage, servePicker } from "./widget/PickerPage.ts"
import { peers as knownPeers, ours, type Peer } from "./widget/Subject.ts"

export interface WidgetBenchSettings {
  readonly peers: ReadonlyArray<Peer>
  /** Loads of each page, after two for warm-up. */
  readonly rounds: number
}

export const widgetBench = ({ peers = knownPeers, rounds = 25 }: Partial<WidgetBenchSettings> = {}): Bench =>
  async function* ({ progress }) {
    yield* inTemporaryFolder(async function* (folder, signal) {
      const contenders: Array<Contender> = []
      for (const peer of peers) {
        progress(`fetching ${nameOf(peer)}`)
        contenders.push({ name: nameOf(peer), scripts: await scriptsOf(peer, folder, signal, progress) })
      }
      const own = await bundleSubject(ours)
      yield* sizes(own, contenders)
      yield* languages(own)
      yield* firstUses(own, contenders, rounds, signal, progress)
    })
  }

interface Contender {
  readonly name: string
  /** Undefined if the peer is missing. */
  readonly scripts: ReadonlyArray<Script> | undefined
}

const scriptsOf = async (
  peer: Peer,
  folder: string,
  signal: AbortSignal,
  progress: (message: string) => void
): Promise<ReadonlyArray<Script> | undefined> => {
  try {
    return await bundleSubject(await fetchPeer(peer, folder, signal))
  } catch (error) {
    signal.throwIfAborted()
    progress(`${nameOf(peer)}: missing: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

const bytes = { bench: "widget", unit: "bytes" }

function* sizes(own: ReadonlyArray<Script>, contenders: ReadonlyArray<Contender>): Generator<Figure> {
  for (const { name, scripts } of contenders) {
    yield compared("less", {
      ...bytes,
      figure: "what a page loads at once, gzipped",
      value: initialBytes(own),
      peer: name,
      peer_value: scripts === undefined ? null : initialBytes(scripts)
    })
  }
}

const initialBytes = (scripts: ReadonlyArray<Script>): number =>
  scripts.filter(({ isInitial }) => isInitial).reduce((sum, { gzipped }) => sum + gzipped.length, 0)

/** Lazy chunks by their source. */
function* languages(own: ReadonlyArray<Script>): Generator<Figure> {
  for (const { gzipped, isInitial, sources } of own) {
    const language = sources.find((source) => /[/\\]languages[/\\]\w+\.ts$/.test(source))
    if (isInitial || language === undefined) continue
    yield compared("less", {
      ...bytes,
      figure: `the language ${basename(language, ".ts")} on demand, gzipped`,
      value: gzipped.length,
      peer: null,
      peer_value: null
    })
  }
}

async function* firstUses(
  own: ReadonlyArray<Script>,
  contenders: ReadonlyArray<Contender>,
  rounds: number,
  signal: AbortSignal,
  progress: (message: string) => void
): AsyncGenerator<Figure> {
  const browser = await launchBrowser()
  const pages: Array<PickerPage> = []
  try {
    const present = contenders.flatMap(({ name, scripts }) => (scripts === undefined ? [] : [{ name, scripts }]))
    for (const { scripts } of [{ scripts: own }, ...present]) pages.push(await servePicker(browser, scripts))
    const times = await firstUsesInTurns(pages, rounds, signal, progress)
    for (const { name } of contenders) {
      const page = present.findIndex((other) => other.name === name) + 1
      yield compared("less", {
        bench: "widget",
        figure: "from the script to a field that takes typing",
        unit: "ms",
        value: median(times[0] ?? []),
        peer: name,
        peer_value: page === 0 ? null : median(times[page] ?? [])
      })
    }
  } finally {
    for (const page of pages) page.close()
    await browser.close()
  }
}

/** The times of each page by round; every other round runs backwards. */
const firstUsesInTurns = async (
  pages: ReadonlyArray<PickerPage>,
  rounds: number,
  signal: AbortSignal,
  progress: (message: string) => void
): Promise<ReadonlyArray<ReadonlyArray<number>>> => {
  const turns = pages.map((page) => ({ page, times_ms: [] as Array<number> }))
  for (let round = 1 - warmUpRounds; round <= rounds; round++) {
    signal.throwIfAborted()
    progress(round < 1 ? "warming up" : `round ${round} of ${rounds}`)
    for (const { page, times_ms } of round % 2 === 0 ? turns : turns.toReversed()) {
      const time_ms = await page.firstUse_ms()
      if (round > 0) times_ms.push(time_ms)
    }
  }
  return turns.map(({ times_ms }) => times_ms)
}

const warmUpRounds = 2
