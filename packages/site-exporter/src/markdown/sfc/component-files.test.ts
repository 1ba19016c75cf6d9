import { expect, test } from 'vitest'
import { exportFiles } from '#testing/site.ts'

const body = (html: string) =>
  html
    .slice(html.indexOf('<main'), html.indexOf('</main>'))
    .replace(/\s+/g, ' ')
    .replace(/<\/?span[^>]*>/g, '')

const exportStarlight = async (components: Record<string, string>, page: string) => {
  const { files, report } = await exportFiles({
    'astro.config.mjs': `import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({ title: 'T' })] }`,
    'src/content/docs/index.mdx': `---\ntitle: Home\n---\n${page}`,
    'src/content/i18n/en.json': '{ "preview": "Preview of it" }',
    ...components,
  })
  return { html: body(files.get('index.html')!), lines: report.lines.map(({ what }) => what) }
}

const exportVitePress = async (components: Record<string, string>, page: string) => {
  const { files, report } = await exportFiles({
    '.vitepress/config.ts': 'export default { title: "T" }',
    'index.md': page,
    ...components,
  })
  return { html: body(files.get('index.html')!), lines: report.lines.map(({ what }) => what) }
}

test('an Astro component is rendered from its frontmatter, markup and slots', async () => {
  const { html, lines } = await exportStarlight(
    {
      'src/components/Grid.astro': `---
import { Tabs, TabItem } from '@astrojs/starlight/components'
import Item from './Item.astro'
import plans from '../plans.json'
interface Props { title: string; wide?: boolean }
const { title, wide = false } = Astro.props as Props
const names = (await Promise.all(plans)).map(async (plan) => plan.name)
const Tag = wide ? 'section' : 'h3'
---
<!-- a note > nobody reads -->
<Tag>{title}, {names.length} plans &gt; one</Tag>
<ul class:list={['plans', { wide }]}>
  {
    plans.map(({ name, price, ...rest }) => (
      <Item {name} {...rest}>{price < 5 && price > 0 ? <b>cheap</b> : 'dear'}</Item>
    ))
  }
</ul>
{Astro.slots.has('extra') && <><hr><slot name="extra" /></>}
<p>spaced
  <em>out</em>: <slot>nothing given</slot></p>
<p>{Astro.locals.t('preview')}</p>
<pre>one
  two</pre>
<style>.plans { color: red }</style>
<script>document.title = 'x'</script>
`,
      'src/components/Item.astro': `---
const { name, note } = Astro.props
---
<li data-note={note} set:html={\`<i>\${name}</i>\`} /><li><slot /></li>`,
      'src/plans.json': '[{ "name": "Small", "price": 1 }, { "name": "Large", "price": 9, "note": "n" }]',
    },
    `import Grid from '~/components/Grid.astro'

<Grid title="Our plans">
  kept *words*

  <p slot="extra">extra words</p>
</Grid>

<Grid title="Again" wide />
`,
  )
  for (const part of [
    '<h3 id="our-plans-2-plans--one">Our plans, 2 plans > one</h3>',
    '<section>Again',
    '<li><i>Small</i></li><li><b>cheap</b></li>',
    '<li><i>Large</i></li><li>dear</li>',
    '<hr><p>extra words</p>',
    'spaced <em>out</em>:',
    'kept <em>words</em>',
    'nothing given',
    'Preview of it',
    'one two</',
  ])
    expect(html).toContain(part)
  expect(html).not.toMatch(/nobody reads|not-here|color: red|document\.title/)
  expect(lines.filter((line) => !line.startsWith('the look'))).toEqual([])
})

test('a component that cannot be evaluated is reported once and keeps its text', async () => {
  const { html, lines } = await exportStarlight(
    {
      'src/Menu.astro': `---
import Sublist from 'some-package/Sublist.astro'
let count = 0
for (const entry of Astro.props.entries) count++
---
<div><Sublist entries={Astro.props.entries} /><p>There are {count} of them.</p></div>`,
      'tsconfig.json': `{ // of the project
        "compilerOptions": { "baseUrl": ".", "paths": { "*": ["./*"], "@parts/*": ["./src/*"], "@up/*": ["../*"] } },
      }`,
      'src/Player.astro': '<canvas id="player"></canvas><script>play()</script>',
      'src/Cycle.astro': `---\nimport Cycle from './Cycle.astro'\n---\n<p>once <Cycle /></p>`,
    },
    `import Menu from '../../Menu.astro'
import Player from '@parts/Player.astro'
import Cycle from '../../Cycle.astro'

<Menu entries={[{ label: 'First', link: '/first' }, { label: 'Group', items: [{ label: 'Inner' }] }]} />

<Player>words of a player</Player>

<Cycle />
`,
  )
  for (const part of ['First', '<li>Group<ul><li>Inner</li></ul></li>', 'words of a player', 'once'])
    expect(html).toContain(part)
  expect(html).toMatch(/There are .*\(computed on the original page\).* of them/)
  expect(lines.filter((line) => line.startsWith('of <Menu>'))).toHaveLength(1)
  expect(lines.filter((line) => line.startsWith('of <Player>'))).toHaveLength(1)
  expect(lines).toContain('of <Cycle>, what only its own site can compute: a cycle: Cycle → Cycle')
})

test('a VitePress page is evaluated as a template, with directives, scripts, components, data and the theme', async () => {
  const { html, lines } = await exportVitePress(
    {
      '.vitepress/theme/index.ts': `import Note from './Note.vue'
export default { enhanceApp({ app }) { app.component('Note', Note) } }`,
      '.vitepress/theme/Note.vue': `<script setup lang="ts">
defineProps<{ headerText: string }>()
</script>
<template>
  <i>Note: {{ headerText }} <slot /></i>
</template>`,
      'List.vue': `<script setup lang="ts">
import { ref, computed } from 'vue'
import { data } from './plans.data'
import Price from './Price.vue'
interface Props { kind?: string; items: string[] }
const props = withDefaults(defineProps<Props>(), { kind: 'plain' })
const at = ref(1)
const shouted = computed(() => props.items.map((item) => item.toUpperCase()))
const raise = () => at.value++
</script>
<template>
  <div v-if="at > 1">never</div>
  <div v-else-if="items.length" :class="{ open: at }">{{ kind }} {{ at }}</div>
  <p v-else>never</p>
  <ul><li v-for="(item, index) in shouted" :key="item">{{ index }}: <slot name="item" :item="item">{{ item }}</slot></li></ul>
  <table><tbody><tr v-for="({ name, cost }, key) of data"><td v-text="key" /><td>{{ name }}</td><td><Price :cost /></td></tr></tbody></table>
  <button @click="raise">Raise</button>
  <p v-html="'<b>bold</b><script>alert(1)</script>'"></p>
</template>`,
      'Price.vue': `<script>export default { props: { cost: Number, unit: { default: '€' } }, data: () => ({ sign: '~' }) }</script>
<template><span>{{ sign }}{{ cost.toFixed(2) }} {{ unit }}</span></template>`,
      'plans.data.ts': `import { defineLoader } from 'vitepress'
export default defineLoader({ async load() { return { a: { name: 'Small', cost: 1 }, b: { name: 'Large', cost: 2 } } } })`,
    },
    `---
title: Home
---
<script setup>
import { ref } from 'vue'
import { VPTeamMembers } from 'vitepress/theme'
import { defineAsyncComponent } from 'vue'
import List from './List.vue'
const Late = defineAsyncComponent(() => import('./Price.vue'))
const count = ref(3)
const members = [{ name: 'Ada', title: 'Engineer', links: [{ icon: 'github', link: 'https://example.com/ada' }] }]
</script>

# Home

## Options <note header-text="x" /> {#options}

## Plain <Note header-text="y" />

Count {{ count + 1 }} of {{ $frontmatter.title }}, \`{{ count }}\` as code, {{ window.location }}.

<span v-for="n in 2" :title="'t' + n">n{{ n }}</span>

::: v-pre
{{ as it is }}
:::

<List :items="['a', 'b']" @click="count++">
  <template #item="{ item }"><em>{{ item }}</em></template>
</List>

<Note header-text="outer"><Note header-text="inner">deepest</Note></Note>

<VPTeamMembers size="small" :members />

<Late :cost="7" />

[To plain](#plain)
`,
  )
  for (const part of [
    'Note: x',
    '<h2 id="options">',
    '<h2 id="plain">',
    'Count 4 of Home, <code>{{ count }}</code> as code, (computed on the original page).',
    'n1n2',
    '{{ as it is }}',
    'plain 1',
    '<li>0: <em>A</em></li><li>1: <em>B</em></li>',
    '<td>a</td><td>Small</td><td>~1.00 €</td>',
    '~7.00 €',
    'Note: outer <i>Note: inner deepest</i>',
    'Raise',
    '<b>bold</b>',
    'Ada',
    'Engineer',
    'href="https://example.com/ada"',
  ])
    expect(html).toContain(part)
  expect(html).not.toMatch(/never|alert\(1\)|v-for|@click/)
  expect(lines.filter((line) => /window/.test(line))).toEqual(['an expression: {{ window.location }}'])
  expect(lines.filter((line) => /not-understood|broken/.test(line))).toEqual([])
})

test('evaluating a hostile component reads no file, runs no code and terminates', async () => {
  const vue = `<script setup>
const out = constructor.constructor('return process')()
const deep = [].map.constructor('return 1')()
const a0 = ['x']
${Array.from({ length: 30 }, (_, at) => `const a${at + 1} = [...a${at}, ...a${at}]`).join('\n')}
</script>
<template><p>kept {{ out.env }} {{ deep }} {{ $slots.constructor }} {{ ({}).__proto__ }}</p>
<component :is="'script'">alert(1)</component><a :href="'java' + 'script:alert(1)'">link</a>
<img :src="'x'" :onerror="'alert(1)'"><b v-for="x in a30">{{ x }}</b></template>`
  const { html } = await exportVitePress(
    {
      'Bad.vue': vue,
      'Hall.vue': '<template>\n<p><slot :self="$slots.default" /></p>\n</template>',
      'Loop.vue': `<script setup>import Loop from './Loop.vue'</script>\n<template>\n<p>loop <Loop /></p>\n</template>`,
    },
    `<script setup>
import Bad from './Bad.vue'
import Loop from './Loop.vue'
import Hall from './Hall.vue'
</script>

# Home

before {{ constructor.constructor('return 1')() }} after

<Loop />

<Hall><template #default="{ self }"><component :is="self" :self="self" />hall</template></Hall>

<Bad />

<b v-for="i in 1e9">{{ i }}</b>
<p v-for="i in 900"><i v-for="j in 900"><b v-for="k in 900">{{ i }}</b></i></p>

last words
`,
  )
  expect(html).toContain('before')
  expect(html).toContain('last words')
  expect(html).not.toMatch(/<script>alert|javascript:|onerror|PATH/)
  expect(html.length).toBeLessThan(3_000_000)
})
