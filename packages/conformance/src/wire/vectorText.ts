/** The files of the golden vectors. In the built package they are part of this module: see vectorsBuiltIn.ts. */
import { readFileSync } from "node:fs"

/** @param name below the folder `vectors` of the repository, such as `levels.csv` */
export const vectorText = (name: string): string =>
  readFileSync(new URL(`../../../../vectors/${name}`, import.meta.url), "utf8")
