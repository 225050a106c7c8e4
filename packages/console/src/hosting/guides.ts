/** The guides, rendered on demand from the documentation, or built in. */

/** A page of the guides. */
export interface Guide {
  /** The path below `/docs/`, without slashes around it; empty for the contents. */
  readonly id: string
  readonly title: string
  /** The content of the page, with its heading. */
  readonly html: string
}

/** The pages, and their style sheet. */
export interface Guides {
  readonly pages: ReadonlyArray<Guide>
  readonly style: string
}

/** Replaced in a build by a module with the rendered pages: see `consoleBuiltIn.ts`. */
export const guides = async (): Promise<Guides> => {
  // Not a literal, so that bundlers do not include the renderer.
  const renderer = new URL("../../makeGuides.ts", import.meta.url).href
  const { makeGuides } = (await import(renderer)) as Renderer
  return makeGuides()
}

interface Renderer {
  readonly makeGuides: () => Promise<Guides>
}
