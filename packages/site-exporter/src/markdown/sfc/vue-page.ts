import type { Program } from 'estree'
import type { ElementContent, Root, RootContent } from 'hast'
import { toString } from 'hast-util-to-string'
import { walkTree } from '#markdown/walk-tree.ts'
import { runWithinBudget } from '@docket/mdx-language/run'
import type { Scope } from '@docket/mdx-language/scope'
import { createTemplateEvaluator } from '@docket/mdx-language/template'
import { callable, toRef, toValue } from '@docket/mdx-language/values'
import { openVueScript } from '@docket/mdx-language/vue'
import { removeLonePlaceholders, openPage } from '#markdown/mdx/mdx-host.ts'
import { createMdxModules } from '#markdown/mdx/mdx-modules.ts'
import { createEmptyPieces, type PagePieces } from '#markdown/mdx/page-pieces.ts'
import { isHtmlElement } from '#markdown/mdx/raw-tags.ts'
import { createSlugger } from '#markdown/slugs.ts'
import type { Note } from '#markdown/page-notes.ts'
import { parsePage } from '#markdown/parse-page.ts'
import { parseVueScript, readComponentFile } from './component-files.ts'

/** Name under which a page imports a component that the theme registers globally. */
export const globalMark = 'component:'

/** Evaluates a VitePress page as a Vue template: interpolations, directives, components and scripts. Anything else keeps its content and is reported. */
export const renderVueNodes = (tree: Root, title: string, pieces: PagePieces, note: Note): void => {
  const opened = openPage(note)
  const { note: noteOnce, run, place, globals } = opened
  const markdown = { isMdx: false, formulas: 'none', pieces: createEmptyPieces() } as const
  const modules = createMdxModules({
    ...opened,
    pieces,
    parse: (source) => parsePage(source, markdown, noteOnce),
    convert: (piece) => piece.children,
  })
  const tools = { page: pieces.file, run, place, globals, resolve: () => null }
  for (const [name, source] of themeComponents)
    globals.names.set(
      name,
      () => readComponentFile({ file: `${name}.vue`, source, imports: [] }, tools, null).component,
    )
  for (const [name] of pieces.imports)
    if (name.startsWith(globalMark))
      globals.names.set(name.slice(globalMark.length), () => modules.resolve(name)?.get('default')?.())
  declarePageData(globals, title)
  const programs = takeScripts(tree, noteOnce)
  const { scope, missing } = openVueScript(programs, globals, modules.resolve, new Map(), run)
  modules.reportMissing({ missing })
  nameHeadings(tree)
  const template = createTemplateEvaluator(run)
  tree.children = groupConditions(tree.children).flatMap((nodes) =>
    runWithinBudget<RootContent[]>(
      () => template.all(nodes as ElementContent[], scope),
      (reason) => {
        noteOnce('left-out', `an expression: ${reason}`)
        return nodes
      },
    ),
  )
  removeLonePlaceholders(tree)
}

const nameHeadings = (tree: Root) => {
  walkTree(tree, 'element', (heading) => {
    if (!/^h[1-6]$/.test(heading.tagName) || 'id' in heading.properties) return
    let hasComponent = false
    walkTree(heading, 'element', ({ tagName }) => void (hasComponent ||= !isHtmlElement(tagName)))
    const text = toString(heading).trim()
    if (hasComponent && !/\{#[^{}]*\}$/.test(text)) heading.properties['id'] = createSlugger('vitepress')(text)
  })
}

const declarePageData = (globals: Scope, title: string) => {
  const matter = toValue({ title })
  const data = new Map([
    ['frontmatter', toRef(matter)],
    ['page', toRef(toValue({ title, frontmatter: { title } }))],
    ['isDark', toRef(false)],
  ])
  globals.names.set('$frontmatter', () => matter)
  globals.names.set('useData', () => callable('useData', () => data))
}

const takeScripts = (tree: Root, note: Note): Program[] => {
  const programs: Program[] = []
  walkTree(tree, 'element', (node, index, parent) => {
    const [text] = node.children
    if (node.tagName !== 'script' || text?.type !== 'text' || !parent || index === undefined) return undefined
    try {
      programs.push(parseVueScript(text.value))
      parent.children.splice(index, 1)
      return index
    } catch (error) {
      note('not-understood', `a script: ${error instanceof Error ? error.message.split('\n')[0] : 'unknown reason'}`)
      return undefined
    }
  })
  return programs
}

/** Groups a condition with its `v-else`. Anything else is a group of its own, so that it can fail alone. */
const groupConditions = (nodes: readonly RootContent[]): RootContent[][] => {
  const groups: RootContent[][] = []
  for (const node of nodes) {
    const isElse = node.type === 'element' && ('v-else' in node.properties || 'v-else-if' in node.properties)
    if (isElse && groups.length > 0) groups.at(-1)!.push(node)
    else if (node.type === 'text' && groups.length > 0 && !/\S/.test(node.value)) groups.at(-1)!.push(node)
    else groups.push([node])
  }
  return groups
}

const members = `<script setup>defineProps(['members'])</script>
<template>
<CardGroup cols="2">
<Card v-for="member of members" :title="member.name">
<img v-if="member.avatar" :src="member.avatar" :alt="member.name" />
<p v-if="member.title || member.org">{{ member.title }}<template v-if="member.org"> @
<a v-if="member.orgLink" :href="member.orgLink">{{ member.org }}</a><span v-else>{{ member.org }}</span></template></p>
<p v-if="member.desc" v-html="member.desc"></p>
<p v-if="member.links || member.sponsor"><span v-for="link of member.links"><a :href="link.link">{{
typeof link.icon === 'string' ? link.icon : link.link }}</a> </span><a v-if="member.sponsor" :href="member.sponsor">{{
member.actionText ?? 'Sponsor' }}</a></p>
</Card>
</CardGroup>
</template>`

const formatSection = (heading: string) => `<template>
<${heading}><slot name="title" /></${heading}>
<slot name="lead" />
<slot name="members" />
<slot />
</template>`

const sponsors = `<script setup>defineProps(['data', 'tier'])</script>
<template>
<template v-for="group of data"><p v-if="group.tier"><strong>{{ group.tier }}</strong></p>
<ul><li v-for="sponsor of group.items ?? [group]"><a :href="sponsor.url">{{ sponsor.name }}</a></li></ul></template>
</template>`

const themeComponents: ReadonlyMap<string, string> = new Map([
  ['VPTeamMembers', members],
  ['VPTeamPage', '<template>\n<slot />\n</template>'],
  ['VPTeamPageTitle', formatSection('h1')],
  ['VPTeamPageSection', formatSection('h2')],
  ['VPSponsors', sponsors],
  ['VPHomeSponsors', sponsors],
  [
    'VPButton',
    `<script setup>defineProps(['text', 'href'])</script>\n<template>\n<a :href="href">{{ text }}</a>\n</template>`,
  ],
])
