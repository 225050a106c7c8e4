import { type ReactNode, useEffect, useId } from "react"

interface PageHeaderProps {
  /** The title of the screen and of the document. */
  readonly title: string
  readonly lead: string
  readonly children?: ReactNode
}

/** The header of each screen. */
export const PageHeader = ({ children, lead, title }: PageHeaderProps) => {
  useEffect(() => {
    document.title = `${title} · Postcode Gateway`
  }, [title])
  return (
    <header className="page-header">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        <p className="lead">{lead}</p>
      </div>
      {children && <div className="actions">{children}</div>}
    </header>
  )
}

/** A framed part of a screen. */
export const Section = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => {
  const id = useId()
  return (
    <section className="section" aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{title}</h2>
      </div>
      {children}
    </section>
  )
}
