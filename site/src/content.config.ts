/** What Astro reads the pages with; the name of this file is Astro's. */
import { docsSchema } from "@astrojs/starlight/schema"
import { defineCollection } from "astro/content/config"
import { pagesLoader } from "./loader.ts"

export const collections = { docs: defineCollection({ loader: pagesLoader, schema: docsSchema() }) }
