import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

/** A page of the map: its title, and its path in `docs`. */
interface Page {
  readonly text: string
  readonly link: string
}

const DOCS = new URL('../../docs/', import.meta.url)

/** The static site of the same Markdown: `npm run site`. The map in `docs/README.md` is its sidebar. */
// biome-ignore lint/style/noDefaultExport: VitePress imports it so
export default defineConfig({
  title: 'payctl',
  description: 'Payment processing and billing that you run yourself',
  srcDir: '../docs',
  outDir: '../site/dist',
  cacheDir: '../node_modules/.cache/site',
  rewrites: {
    'README.md': 'index.md',
    ':folder/README.md': ':folder/index.md',
    ':a/:b/README.md': ':a/:b/index.md',
  },
  cleanUrls: false,
  // Pages link to files of the clone, which the site does not have.
  ignoreDeadLinks: [/^(\.\/)?\.\.\//],
  markdown: {
    // Pages are text alone: nothing in them is a template or HTML.
    html: false,
    config(md) {
      const code = md.renderer.rules.code_inline
      const text = md.renderer.rules.text
      md.renderer.rules.code_inline = (...args) => plain(code?.(...args))
      md.renderer.rules.text = (...args) => plain(text?.(...args))
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    sidebar: sidebarOf(readFileSync(new URL('README.md', DOCS), 'utf8')),
  },
})

/** A link of the map, or a page that it names without a link, because the page is not in the npm package. */
const LISTED = /\[([^\]]+)\]\(([^)#]+\.md)\)|^\| ([^|]+) \(`([^`]+\.md)`\)/gm

/** Parts of the map with their pages, in its order. */
function sidebarOf(map: string) {
  return [...map.matchAll(/^## (.+)\n(.*?)(?=^## |$(?![\s\S]))/gms)].map(([, text = '', body = '']) => ({
    text,
    collapsed: false,
    items: [...body.matchAll(LISTED)].map(
      ([, title = '', link = '', named = title, page = link]): Page => ({
        text: named.replaceAll('`', ''),
        link: `/${page}`,
      }),
    ),
  }))
}

/** HTML in which Vue finds no template. */
function plain(html = ''): string {
  return html.replaceAll('{{', '&#123;&#123;').replaceAll('}}', '&#125;&#125;')
}
