// Renders agents' Markdown as safe HTML: no HTML of their own, no images, only web links.
import MarkdownIt from 'markdown-it'

/** Longest text that is shown. */
const MOST_CHARS = 40_000
/** Headings of a document start below those of the report. */
const DEEPER = 3

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false })
markdown.disable('image')
markdown.validateLink = (url) => /^https?:\/\//i.test(url.trim())
markdown.core.ruler.push('deeper', (state) => {
  for (const token of state.tokens)
    if (token.type.startsWith('heading_'))
      token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + DEEPER)}`
})

/** Returns the HTML of a text. */
export function markdownHtml(text: string): string {
  return markdown.render(
    text.length > MOST_CHARS
      ? `${text.slice(0, MOST_CHARS)}\n\n… (cut: the file has all of it)`
      : text,
  )
}
