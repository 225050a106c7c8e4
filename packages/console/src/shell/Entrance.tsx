import type { ComponentChildren } from "preact"
import { Brand } from "./Brand.tsx"

/** A page with one thing to do, before one is in. */
export const Entrance = ({ children }: { readonly children: ComponentChildren }) => (
  <main class="entrance">
    <Brand />
    <div class="card">{children}</div>
  </main>
)
