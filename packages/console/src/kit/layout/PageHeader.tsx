import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { moves } from "../../router/address.ts"

export interface PageHeaderProps {
  /** The title of the screen and of the document. */
  readonly title: string
  /** The purpose of the screen in one sentence. */
  readonly lead?: ComponentChildren
  /** Buttons. */
  readonly children?: ComponentChildren
}

/** The header of each screen. Navigation moves the focus here, so that screen readers start at the title. */
export const PageHeader = ({ children, lead, title }: PageHeaderProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  // Before painting, so that screen readers and an immediate Tab start at the title.
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
