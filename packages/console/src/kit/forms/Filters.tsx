import type { ComponentChildren } from "preact"

/** A row of fields that narrow the list below it. */
export const Filters = ({ children, label }: { readonly label: string; readonly children: ComponentChildren }) => (
  <search class="filters" aria-label={label}>
    {children}
  </search>
)
