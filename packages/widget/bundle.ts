/**
 * What a page loads with one script tag: the picker, and a chunk for each language and for what few pages need; or one
 * script that has all of it.
 */
import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { runInNewContext } from "node:vm"
import { build, type Plugin, transform } from "esbuild"
import { minify } from "vite"
import { bundleEmbed } from "./bundleEmbed.ts"
import { bundleMap } from "./bundleMap.ts"
import { assetsOf, bundleOptions } from "./bundleOptions.ts"
import { bundlePicker } from "./bundlePicker.ts"
import type { PageAsset } from "./src/embed/pageAssets.ts"
import { messages as later } from "./src/languages/en.ts"
import { english } from "./src/languages/Messages.ts"

/** Writes the bundle into a folder, in the place of what was there. */
export const writeBundle = async (folder: string): Promise<void> => {
  const assets = await makePickerAssets()
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const { content, name } of assets) await writeFile(join(folder, name), content)
}

/** Writes `postcode-widget.js`, and its hash for the attribute `integrity` into `integrity.json`. */
export const writeScript = async (folder: string): Promise<void> => {
  const { content, integrity, name } = await makeScript()
  await writeFile(join(folder, name), content)
  await writeFile(join(folder, "integrity.json"), `${JSON.stringify({ [name]: integrity }, undefined, 2)}\n`)
}

/**
 * The picker with all that it loads on demand, in one classic script: its hash, as pages name it in `integrity`, covers
 * all of it, and it works from any server.
 */
export const makeScript = async (): Promise<PageAsset & { readonly integrity: string }> => {
  const { outputFiles } = await build({
    ...bundleOptions,
    splitting: false,
    format: "iife",
    absWorkingDir: import.meta.dirname,
    entryPoints: { "postcode-widget": "src/define.ts" },
    outdir: "dist",
    plugins: [...bundleOptions.plugins, inOnePiece],
    mangleProps: innerNames,
    write: false
  })
  const [script] = await Promise.all(assetsOf(outputFiles).map((asset) => smaller(asset, false)))
  if (script === undefined) throw new Error("esbuild made no script")
  // A page may have another encoding than its scripts, and a server may name none: the mark decides.
  const content = `\ufeff${script.content}`
  return { ...script, content, integrity: `sha384-${createHash("sha384").update(content).digest("base64")}` }
}

/**
 * Members that only the modules of the picker use: in one script, their names can be short. What a module exports for loading
 * on demand keeps its name.
 */
const innerNames = new RegExp(
  `^(${`
    accuracy_m actions activate active adoptStyles ask asking cancel canIdentify choice choiceAt choose close commit complete
    deliver depth depthOf directionOf drop element field findNames findPlace finish forget hasStreets isChosen isOpen isPin
    isPlace isTaken isTyped isUnavailable length_m list listener loadAgain make mapStyle namesOf nearby note number onBookmarks onCancel
    onConfirm onFailed onForm onHome onKey onNext onNone onNoStreets onOther onPan onPick onPinDrag onProblem onShown onStep
    onTake onTap onText onTouch onZoom openForm opens openSaved openSession panel pin placeOf placesIn point points position
    prepare proceed Problem readCode record render reopen report ring_m root say search session setText settings setUnavailable
    show slotsOf spaced stop submit suggest svg takeText texts tools touched urlOf user visit width_px
  `
    .trim()
    .replace(/\s+/g, "|")})$`
)

/** esbuild wraps what is loaded on demand, and keeps the keys of messages in each language: neither is of use in one script. */
const inOnePiece: Plugin = {
  name: "in-one-piece",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]widget[/\\]src[/\\].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8")
      if (/[/\\](fr|ha|ig|yo)\.ts$/.test(path)) return { contents: await withoutKeys(source), loader: "js" }
      if (/[/\\]en\.ts$/.test(path)) return { contents: source + named, loader: "ts" }
      if (/[/\\]loadAgain\.ts$/.test(path)) return { contents: "export const loadAgain = (load) => load()" }
      const imports: Array<string> = /[/\\]define\.ts$/.test(path) ? [sheetsTogether] : []
      const lazy = [...source.matchAll(/(?<!typeof )import\("(.*?)"\)/g)]
      let contents = source
      for (const [index, [found, target = ""]] of lazy.entries()) {
        // As a plain object, without the getters of a namespace.
        const names = exportsOf(await readFile(join(path, "..", target), "utf8"))
        imports.push(`import { ${names.map((name) => `${name} as ${name}${index}`).join(", ")} } from "${target}"\n`)
        contents = contents.replace(
          found,
          `Promise.resolve({ ${names.map((name) => `${name}: ${name}${index}`).join(", ")} })`
        )
      }
      return { contents: imports.join("") + contents, loader: "ts" }
    })
  }
}

/** What a module exports, other than types. */
const exportsOf = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(/^export (?:const|class) (\w+)|^export \{ (?:\w+ as )?(\w+) \}/gm)].map(
    ([, declared = "", listed = ""]) => declared || listed
  )

/** Compression looks back 32 KB, so style sheets are smaller beside each other. */
const sheetsTogether = `import {} from "./styles.ts"
import {} from "./Rows.ts"
import {} from "./discover/styles.ts"
`

/** A module of messages with the texts alone, in the order of the English ones. */
const withoutKeys = async (source: string): Promise<string> => {
  const { code } = await transform(source, { loader: "ts", format: "cjs" })
  // Not imported: where the site is built, modules can no longer be loaded at this point.
  const module: { exports: { messages: Readonly<Record<string, string>> } } = { exports: { messages: {} } }
  runInNewContext(code, { module })
  const { messages } = module.exports
  const texts = Object.keys({ ...english, ...later }).map((key) => messages[key])
  if (texts.length !== Object.keys(messages).length) throw new Error("a language has other messages than English")
  return `import { named } from "./en.ts"
export const messages = named(${JSON.stringify(texts.join("\n"))})`
}

/** Gives texts the keys of the English ones. */
const named = `
import { english } from "./Messages.ts"
export const named = (text) => {
  const texts = text.split("\\n")
  return Object.fromEntries(Object.keys({ ...english, ...messages }).map((key) => [key, texts.shift()]))
}`

/** What the hosted page loads, where it is served from sources. */
export const makePageAssets = (): Promise<ReadonlyArray<PageAsset>> => bundleEmbed({ build }, import.meta.dirname)

/** The files of the bundle, for a page that is served from sources. */
export const makePickerAssets = async (): Promise<ReadonlyArray<PageAsset>> =>
  Promise.all((await bundlePicker({ build }, import.meta.dirname)).map((asset) => smaller(asset, true)))

/** The scripts of the frame that draws streets, where it is served from sources. */
export const makeMapAssets = (): Promise<ReadonlyArray<PageAsset>> => {
  madeMap ??= bundleMap({ build }, import.meta.dirname)
  return madeMap
}

/** Each of the files asks for all of them. */
let madeMap: Promise<ReadonlyArray<PageAsset>> | undefined

/** Of the sources of these scripts, and of the libraries' versions. */
export const digestOfSources = async (): Promise<string> => {
  const folder = join(import.meta.dirname, "src", "map")
  const files = (await readdir(folder)).sort().map((name) => join(folder, name))
  const hash = createHash("sha256")
  for (const file of [...files, join(import.meta.dirname, "package.json")]) hash.update(await readFile(file))
  return hash.digest("hex").slice(0, 16)
}

/** The minifier of vite takes another 2 % out of what esbuild makes. */
const smaller = async ({ content, name }: PageAsset, module: boolean): Promise<PageAsset> => {
  const { code, errors } = await minify(name, content, { module, compress: { target: "es2023" } })
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`)
  return { name, content: code }
}
