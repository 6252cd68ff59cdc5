// Small pieces that several sections of a report share.
import type { Child } from 'hono/jsx'
import type { FileLink } from '../../../core/report/model.js'
import { linkTo } from './links.js'

/** A section with its heading. */
export function Section({
  id,
  title,
  note,
  children,
}: {
  id: string
  title: string
  note?: string | undefined
  children: Child
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {note !== undefined && <p class="muted">{note}</p>}
      {children}
    </section>
  )
}

/** A table that scrolls by itself where the window is narrow; by keys too. */
export function Table({
  label,
  head,
  children,
}: {
  label: string
  head: string[]
  children: Child
}) {
  return (
    <div class="scroll" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

/** Links to files, in one line. `from` is the directory of the report. */
export function Links({ links, from }: { links: readonly FileLink[]; from: string }) {
  return (
    <>
      {links.map((link, n) => (
        <>
          {n > 0 && ' '}
          <a href={linkTo(link.path, from)}>{link.label}</a>
        </>
      ))}
    </>
  )
}

/** HTML that was made safe where it was made. */
export function Made({ class: name, html }: { class: string; html: string }) {
  return <div class={name} dangerouslySetInnerHTML={{ __html: html }} />
}

/** The first items, and how many more there are. */
export function First<T>({
  items,
  most,
  children,
}: {
  items: readonly T[]
  most: number
  children: (item: T) => Child
}) {
  return (
    <>
      {items.slice(0, most).map(children)}
      {items.length > most && <li class="muted">and {items.length - most} more</li>}
    </>
  )
}
