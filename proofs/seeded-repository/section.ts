import type { Page, Piece } from './pieces.ts'

const sentence = 'This is what you can read when the page is open, and it is for all of you.'

/** Unique text, so that git never mistakes one page for another. */
export const longText = (name: string): string =>
  Array.from(
    { length: 14 },
    (_, line) => `The ${name} says ${Buffer.from(`${name} ${line}`).toString('hex')} here.`,
  ).join('\n\n')

const fixed = (text: string, links: string, move?: string): Piece => ({
  text,
  after: { links, ...(move !== undefined && { move }) },
})
const broken = (page: string, text: string, raw: string, move?: string): Piece => ({
  text,
  report: 'links',
  says: `${page}: ${raw}`,
  ...(move !== undefined && { after: { move } }),
})
const piece = (text: string, move?: string): Piece => ({ text, ...(move !== undefined && { after: { move } }) })

/**
 * Links of a section that lead nowhere: to pages and images that git says were moved, or that differ in case or ending;
 * and those that nothing decides.
 */
export const linkCases = (d: string, number: number): Page => {
  const page = `${d}/cases.mdx`
  const name = encodeURI(d)
  return {
    path: page,
    pieces: [
      piece(`# Cases ${number}`),
      fixed('[renamed](./renamed-old.md) once', '[renamed](./new/renamed.md) once'),
      fixed('[renamed](renamed-old.md?x=1#top "T")', '[renamed](new/renamed.md?x=1#top "T")'),
      fixed('[twice](chain-1.md) and [in between](chain-2)', '[twice](chain-3.md) and [in between](chain-3)'),
      fixed('![image](pic-old.png)', '![image](img/pic.png)'),
      fixed('<img src="pic-old.png" alt="" />', '<img src="img/pic.png" alt="" />'),
      fixed('<Card href="chain-1">Text</Card>', '<Card href="chain-3">Text</Card>'),
      fixed('[case](mixed-case.md)', '[case](Mixed-Case.md)'),
      fixed(`[case](/${name}/MIXED-CASE.md#first-step)`, `[case](/${name}/Mixed-Case.md#first-step)`),
      fixed('[part](Mixed-Case.md#First-Step)', '[part](Mixed-Case.md#first-step)'),
      fixed('[ending](plain.mdx)', '[ending](plain.md)', '[ending](deep/er/plain.md)'),
      fixed(`[heading](roles.md#owners-${number})`, `[heading](people.md#owners-${number})`),
      fixed('[reference][r] here', '[reference][r] here'),
      fixed('[r]: <renamed-old.md> "T"', '[r]: <new/renamed.md> "T"'),
      broken(page, '[deleted](deleted.md)', 'deleted.md'),
      broken(page, '[never](never.md#x)', 'never.md#x'),
      broken(page, '[two of a name](twin/ALPHA.md)', 'twin/ALPHA.md'),
      broken(page, '[history against case](both-old.md)', 'both-old.md'),
      broken(page, '[no such part](plain.md#nothing)', 'plain.md#nothing', '[no such part](deep/er/plain.md#nothing)'),
      broken(page, `[part in two pages](roles.md#shared-${number})`, `roles.md#shared-${number}`),
      broken(page, '![deleted](pic-deleted.png)', 'pic-deleted.png'),
      broken(page, '[above](../nowhere/at-all.md)', '../nowhere/at-all.md'),
      piece(
        `[fine](plain.md) [fine](./plain) [self](#cases-${number})`,
        `[fine](deep/er/plain.md) [fine](./deep/er/plain) [self](#cases-${number})`,
      ),
      piece('`[code](renamed-old.md)` and \\[no link](renamed-old.md), [x](https://example.com/renamed-old.md)'),
      piece('```\n[code](renamed-old.md) recieve  \n```'),
      piece('[mail](mailto:a@example.com) {"[x](renamed-old.md)"}'),
    ],
  }
}

const typo = (wrong: string, right: string): Piece => ({
  text: `You can ${wrong} it. ${sentence}`,
  after: { typos: `You can ${right} it. ${sentence}` },
})
const unclear = (page: string, word: string, text = `You can ${word} it. ${sentence}`): Piece => ({
  text,
  report: 'typos',
  says: `${page}: “${word}”`,
})

/** Misspellings with one correction, those with several, and words that only look like one. */
export const typoCases = (d: string): Page => {
  const page = `${d}/prose.md`
  return {
    path: page,
    pieces: [
      piece('# Prose'),
      typo('seperate', 'separate'),
      typo('acheive', 'achieve'),
      { text: `Definately so. ${sentence}`, after: { typos: `Definitely so. ${sentence}` } },
      {
        text: `- It occured untill then, as you can read. ${sentence}`,
        after: { typos: `- It occurred until then, as you can read. ${sentence}` },
      },
      {
        text: `| Neccessary | ${sentence} |\n| --- | --- |\n| The begining of it is for you | b |`,
        after: { typos: `| Necessary | ${sentence} |\n| --- | --- |\n| The beginning of it is for you | b |` },
      },
      unclear(page, 'wich'),
      unclear(page, 'accurary'),
      unclear(page, 'tommorow', `## What you can do tommorow with it`),
      unclear(page, 'adress', `The adress of the page is for you. Use \`adress\` for it.`),
      piece(
        `Use \`publically\` and [enviroment](plain.md). ${sentence}`,
        `Use \`publically\` and [enviroment](deep/er/plain.md). ${sentence}`,
      ),
      piece(`They said “refered” and "goverment" to you. ${sentence}`),
      piece('```js\nconst arguement = succesful\n```'),
      piece(`> You can beleive it. ${sentence}`),
      piece(`The Arguement Company is what it is. ${sentence}`),
    ],
  }
}
