/**
 * Takes the pictures of the documentation anew, after `npm run build`:
 *
 *     node --conditions=@postcode/source site/pictures/main.ts [FOLDER]
 */
import { join } from "node:path"
import { root } from "../../scripts/workspace.mjs"
import { takePictures } from "./takePictures.ts"

const [, , folder = join(root, "docs", "images")] = process.argv
process.stdout.write(`${(await takePictures(folder)).join("\n")}\n`)
