import { satteri } from "@astrojs/markdown-satteri"
import starlight from "@astrojs/starlight"
import { defineConfig, passthroughImageService } from "astro/config"
import { root } from "../scripts/workspace.mjs"
import { readContents } from "./src/contents.ts"
import { finish } from "./src/finish.ts"
import { sidebarOf } from "./src/sidebar.ts"

export default defineConfig({
  image: { service: passthroughImageService() },
  markdown: { processor: satteri({ features: { smartPunctuation: false } }) },
  integrations: [
    starlight({
      title: "Postcode Gateway",
      logo: { src: "./public/favicon.svg", alt: "" },
      sidebar: sidebarOf(readContents(root)),
      customCss: ["../config/tokens.css", "./src/style.css"],
      markdown: { processedDirs: [root] },
      expressiveCode: {
        themes: ["github-dark", "github-light"],
        defaultProps: { frame: "none" },
        styleOverrides: {
          borderRadius: "8px",
          codeBackground: ["#1d1f23", "#f6f7f9"],
          codeFontSize: "0.8125rem",
          codeLineHeight: "1.5",
          frames: { frameBoxShadowCssValue: "none" }
        }
      }
    }),
    finish()
  ]
})
