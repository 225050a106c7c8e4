import type { ComponentChildren } from "preact"
import { Brand } from "./Brand.tsx"

/** A page with a single form, before sign-in. */
export const Entrance = ({ children }: { readonly children: ComponentChildren }) => (
  <main class="entrance">
    <Brand />
    <div class="card">{children}</div>
  </main>
)
