import type { ReactNode } from "react"
import { Brand } from "./Brand.tsx"

/** A page with a single form, before sign-in. */
export const Entrance = ({ children }: { readonly children: ReactNode }) => (
  <main className="entrance">
    <Brand />
    <div className="card">{children}</div>
  </main>
)
