import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { moves } from "../../router/address.ts"

export interface PageHeaderProps {
  /** Of the screen and of the document. */
  readonly title: string
  /** One sentence on what the screen is for. */
  readonly lead?: ComponentChildren
  /** What can be done here, as buttons. */
  readonly children?: ComponentChildren
}

/** The head of each screen. Going to a screen places the focus here, so that reading begins at its title. */
export const PageHeader = ({ children, lead, title }: PageHeaderProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  // Before the page is painted: what is read out begins with the title, and whoever presses Tab at once goes on from
  // here.
  useLayoutEffect(() => {
    document.title = `${title} · Postcode Gateway`
  }, [title])
  useLayoutEffect(() => {
    if (moves.peek() > 0) heading.current?.focus()
  }, [])
  return (
    <header class="page-header">
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children && <div class="actions">{children}</div>}
    </header>
  )
}
