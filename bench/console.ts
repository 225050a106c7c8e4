/**
 * Size and cold load time of the console, compared with two of its screens in React. bench/README.md explains each
 * figure.
 */
import { gzipSync } from "node:zlib"
import { version } from "react"
import { consoleFiles } from "../packages/console/src/hosting/files.ts"
import { launchBrowser } from "../packages/widget/test/Browser.ts"
import { type Bench, compared, type Figure } from "./Bench.ts"
import { type Browser, type ColdLoad, type Condition, coldLoad, type Session } from "./console/ColdLoad.ts"
import { type ComparedScreen, openConsoleService } from "./console/ConsoleService.ts"
import { median } from "./measure.ts"
import { watchForInterruption } from "./setUp/Interruption.ts"
import { firstScreen } from "./size/firstScreen.ts"
import { sizeLimits_bytes } from "./size/SizeLimits.ts"

export interface ConsoleBenchSettings {
  /** Loads of each screen in each condition, after one warm-up in the first. */
  readonly rounds: number
  readonly ways: ReadonlyArray<Way>
}

/** A device and a network, as figures name them. */
export interface Way extends Condition {
  readonly words: string
  /** It is measured in every n-th round. */
  readonly oneRoundIn: number
}

/** The machine itself, approximately a phone, and the phone on a slow network. */
export const knownWays: ReadonlyArray<Way> = [
  { words: "", slowdown: 1, oneRoundIn: 1 },
  { words: ", as on a phone", slowdown: 4, oneRoundIn: 1 },
  // It takes long and varies little.
  {
    words: ", as on a phone and a slow network",
    slowdown: 4,
    network: { latency_ms: 150, bits_per_s: 1_600_000 },
    oneRoundIn: 2
  }
]

export const consoleBench = ({ rounds = 7, ways = knownWays }: Partial<ConsoleBenchSettings> = {}): Bench =>
  async function* ({ progress }) {
    progress("bundling")
    yield* sizes()
    const interruption = watchForInterruption()
    try {
      yield* loads({ rounds, ways }, interruption.signal, progress)
    } finally {
      interruption.end()
    }
  }

const bench = "console"

/** Compressed as the service sends them. */
async function* sizes(): AsyncGenerator<Figure> {
  // The page has two addresses but is one file.
  const files = (await consoleFiles()).filter(({ path }) => path !== "/console")
  const sizeOf = (content: string) => gzipSync(content).length
  for (const { content, path } of files) {
    const value = sizeOf(content)
    const figure = `${nameOf(path)}, gzipped`
    yield compared("less", { bench, figure, value, unit: "bytes", peer: null, peer_value: null })
  }
  const figure = "up to the first screen, gzipped"
  yield compared("less", {
    bench,
    figure,
    value: firstScreen(files).reduce((sum, { content }) => sum + sizeOf(content), 0),
    unit: "bytes",
    peer: "the limit",
    peer_value: sizeLimits_bytes.console
  })
}

/** The name without its content hash. */
const nameOf = (path: string): string =>
  path === "/console/" ? "the page" : path.replace(/^.*\//, "").replace(/-[\w-]{8}(?=\.\w+$)/, "")

async function* loads(
  { rounds, ways }: ConsoleBenchSettings,
  signal: AbortSignal,
  progress: (message: string) => void
): AsyncGenerator<Figure> {
  const service = await openConsoleService()
  let browser: Browser | undefined
  try {
    browser = await launchBrowser()
    const session = await service.signIn(browser)
    const turns = service.screens.flatMap((screen) => ways.map((way) => newTurn(screen, way)))
    for (let round = 0; round <= rounds; round++) {
      progress(round === 0 ? "warming up" : `round ${round} of ${rounds}`)
      // Only the machine's own caches survive a load, so one condition is enough to warm up.
      for (const turn of turns.filter(({ way }) => (round === 0 ? way === ways[0] : round % way.oneRoundIn === 0))) {
        signal.throwIfAborted()
        await takeTurn(browser, session, turn, round)
      }
    }
    for (const turn of turns) yield* figuresOf(turn)
  } finally {
    await browser?.close()
    await service.close()
  }
}

/** A screen of both applications in one condition, and its results. */
interface Turn {
  readonly screen: ComparedScreen
  readonly way: Way
  readonly own: Array<ColdLoad>
  readonly react: Array<ColdLoad>
}

const newTurn = (screen: ComparedScreen, way: Way): Turn => ({ screen, way, own: [], react: [] })

/** Loads the screen of both applications, in alternating order. */
const takeTurn = async (browser: Browser, session: Session, turn: Turn, round: number): Promise<void> => {
  const { screen, way } = turn
  const sides = turn.own.length % 2 === 0 ? (["own", "react"] as const) : (["react", "own"] as const)
  const shown = new Set<string>()
  for (const side of sides) {
    const load = await coldLoad(browser, { ...screen, ...way, address: screen[side], session })
    shown.add(load.shown)
    if (round > 0) turn[side].push(load)
  }
  if (shown.size > 1) throw new Error(`${screen.name}: expected both to show the same:\n${[...shown].join("\n")}`)
}

function* figuresOf({ own, react, screen, way }: Turn): Generator<Figure> {
  const isFirst = way.words === ""
  for (const [measure, words, unit] of isFirst ? [...times, ...lengths] : times) {
    const middle = (loads: ReadonlyArray<ColdLoad>) => median(loads.map((load) => load[measure]))
    yield compared("less", {
      bench,
      figure: `${screen.name}${way.words}: ${words}`,
      value: middle(own),
      unit,
      peer: `React ${version}`,
      peer_value: middle(react)
    })
  }
}

const times = [
  ["firstPaint_ms", "first paint", "ms"],
  ["complete_ms", "complete", "ms"],
  ["scripts_ms", "scripts at work until then", "ms"],
  ["tasks_ms", "main thread at work until then", "ms"]
] as const

/** The same in every condition. */
const lengths = [
  ["scripts_bytes", "scripts over the wire", "bytes"],
  ["styles_bytes", "style sheets over the wire", "bytes"]
] as const
