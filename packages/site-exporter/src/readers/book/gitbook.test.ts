import { expect, test } from 'vitest'
import { exportFiles, linkProblems } from '#testing/site.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const book = {
  'SUMMARY.md': '# Table of contents\n\n* [Welcome](README.md)\n* [Start](basics/start.md)\n',
  'basics/start.md': '# First steps\n\nText.\n',
}

/** Main part of the first page of a book with this text. */
const render = async (text: string, more: Readonly<Record<string, string | Uint8Array>> = {}) => {
  const { files, report } = await exportFiles({ ...book, 'README.md': `# Handbook\n\n${text}\n`, ...more })
  expect(linkProblems(files)).toEqual([])
  const [, main = ''] = /<main\b[^>]*>([^]*?)<\/main>/.exec(files.get('index.html')!) ?? []
  return { main, files, lines: report.lines.map(({ file, what }) => `${file}: ${what}`) }
}

test.each([
  [
    'hint',
    '{% hint style="warning" %}\nCareful *here*.\n{% endhint %}',
    /<div class="callout warning"[^>]*>[^]*<em>here<\/em>/,
  ],
  ['hint', '{% hint style="success" %}\nDone\n{% endhint %}', /<div class="callout tip"[^>]*>[^]*<p>Done<\/p>/],
  ['hint without a style', '{% hint %}\nNoted\n{% endhint %}', /<div class="callout note"[^>]*>[^]*<p>Noted<\/p>/],
  [
    'hint on one line',
    'Before {% hint style="info" %}Inside{% endhint %} after',
    /<p>Before[^]*class="callout info"[^]*Inside[^]*<\/div>[^]*after/,
  ],
  [
    'tabs',
    '{% tabs %}\n{% tab title="npm" %}\n```bash\nnpm i\n```\n{% endtab %}\n\n{% tab title="A & B" %}\nother\n{% endtab %}\n{% endtabs %}',
    /<div class="tabs"[^]*npm<\/p>[^]*npm[^]*A &#x26; B<\/p>[^]*other/,
  ],
  [
    'code',
    '{% code title="app.js" overflow="wrap" lineNumbers="true" %}\n```javascript\nconst a = 1\n```\n{% endcode %}',
    /app\.js[^]*const/,
  ],
  ['code without a language', '{% code title="notes.txt" %}\n```\nplain\n```\n{% endcode %}', /notes\.txt[^]*plain/],
  [
    'stepper',
    '{% stepper %}\n{% step %}\n### First\nDo it.\n{% endstep %}\n{% step %}\n### Then\n{% endstep %}\n{% endstepper %}',
    /<ol class="steps">\s*<li>[^]*First[^]*Do it\.[^]*<\/li>\s*<li>[^]*Then/,
  ],
  [
    'content-ref',
    '{% content-ref url="basics/start.md" %}\n[start.md](basics/start.md)\n{% endcontent-ref %}',
    /class="card"[^]*<a href="basics\/start\.html"[^>]*>First steps<\/a>/,
  ],
  [
    'page-ref of older books',
    '{% page-ref page="basics/start.md" %}\n\nAfter',
    /class="card"[^]*<a href="basics\/start\.html"[^>]*>First steps<\/a>[^]*<\/div>\s*<p>After/,
  ],
  [
    'page-ref to a page that is missing',
    '{% page-ref page="https://example.com/x" %}',
    /<a href="https:\/\/example\.com\/x"/,
  ],
  [
    'content-ref to another site',
    '{% content-ref url="https://example.com/x" %}\n[Elsewhere](https://example.com/x)\n{% endcontent-ref %}',
    /<a href="https:\/\/example\.com\/x"[^>]*>Elsewhere<\/a>/,
  ],
  [
    'embed',
    '{% embed url="https://example.com/watch?v=a&b=c" %}',
    /<a href="https:\/\/example\.com\/watch\?v=a&#x26;b=c"/,
  ],
  [
    'embed with a caption',
    '{% embed url="https://example.com/" %}\nThe caption\n{% endembed %}',
    /example\.com[^]*The caption/,
  ],
  [
    'file',
    '{% file src=".gitbook/assets/manual (1).pdf" %}\nThe manual\n{% endfile %}',
    /<a href="media\/manual-1-\.[^"]*\.pdf"[^>]*>manual \(1\)\.pdf<\/a>[^]*The manual/,
  ],
  [
    'columns',
    '{% columns %}\n{% column width="50%" %}\nLeft\n{% endcolumn %}\n{% column %}\nRight\n{% endcolumn %}\n{% endcolumns %}',
    /class="column"[^]*Left[^]*class="column"[^]*Right/,
  ],
  [
    'updates',
    '{% updates format="full" %}\n{% update date="2026-01-02" %}\n## News\n{% endupdate %}\n{% endupdates %}',
    /class="update"[^]*2026-01-02[^]*News/,
  ],
  ['include', '{% include ".gitbook/includes/part.md" %}', /<p>Part with <strong>words<\/strong>\.[^]*callout info/],
  [
    'figure',
    '<figure><img src=".gitbook/assets/shot%20one.png" alt="Shot"><figcaption><p>A caption</p></figcaption></figure>',
    /<img src="media\/shot-one\.[^"]*\.png"[^]*A caption/,
  ],
  ['picture', '![Shot](<.gitbook/assets/shot one.png>)', /<img src="media\/shot-one\./],
])('the GitBook block %s is shown as what it is', async (_, text, shown) => {
  const { main, lines } = await render(text, {
    '.gitbook/assets/shot one.png': png,
    '.gitbook/assets/manual (1).pdf': 'pdf',
    '.gitbook/includes/part.md':
      '---\ntitle: Part\n---\nPart with **words**.\n\n{% hint style="info" %}\nInside\n{% endhint %}',
  })
  expect(main).toMatch(shown)
  expect(main).not.toMatch(/\{%|%\}|x-\w|start\.md/)
  expect(lines.filter((line) => !/SUMMARY\.md|part\.md/.test(line))).toEqual([])
})

test('GitBook blocks nest, stand in lists and quotes, and end with the page', async () => {
  const { main } = await render(
    `1. One

   {% hint style="danger" %}
   In a list
   {% endhint %}

   still one
2. {% hint style="info" %}
   In an item
   {% endhint %}

> {% hint style="info" %}
> Quoted
> {% endhint %}

{% tabs %}
{% tab title="Outer" %}
{% stepper %}
{% step %}
## Title

{% hint style="warning" %}
Deep
{% endhint %}

- {% code title="x.sh" %}
  \`\`\`bash
  echo
  \`\`\`
  {% endcode %}
{% endstep %}
{% endstepper %}
{% endtab %}
{% tab title="Open" %}
Last words`,
  )
  expect(main).toMatch(
    /<li>[^]*One[^]*callout danger[^]*In a list[^]*<\/div>\s*<p>still one<\/p>\s*<\/li>\s*<li>[^]*callout info[^]*In an item[^]*<\/li>\s*<\/ol>/,
  )
  expect(main).toMatch(/<blockquote>[^]*callout info[^]*Quoted[^]*<\/blockquote>/)
  expect(main).toMatch(
    /Outer<\/p>[^]*<ol class="steps">[^]*Title[^]*callout warning[^]*Deep[^]*<\/div>[^]*x\.sh[^]*<\/ol>[^]*Open<\/p>[^]*Last words/,
  )
  expect(main).not.toMatch(/\{%|&lt;\/?x-|&#x3C;\/?x-/)
})

test('indented GitBook blocks are blocks, not code', async () => {
  const { main } = await render(
    '{% tabs %}\n    {% tab title="A" %}\n    {% hint style="info" %}\nInside\n        {% endhint %}\n    {% endtab %}\n{% endtabs %}\n\n- One\n  - Two\n\n    {% hint style="tip" %}\n    In a list\n    {% endhint %}',
  )
  expect(main).toMatch(/class="tabs"[^]*A<\/p>[^]*callout info[^]*Inside/)
  expect(main).toMatch(/Two[^]*callout note[^]*<p>In a list<\/p>\s*<\/div>\s*<\/li>/)
  expect(main).not.toMatch(/x-\w|<pre/)
})

test('GitBook blocks in code, inline code and after a backslash stay as they are written', async () => {
  const { main, lines } = await render(
    '```twig\n{% hint %}\n{% include "x.md" %}\n```\n\nWrite `{% tabs %}` or \\{% step %}.',
  )
  expect(main.replace(/<[^>]*>/g, '')).toMatch(
    /\{% hint %}\s*\{% include "x\.md" %}[^]*Write \{% tabs %} or \{% step %}\./,
  )
  expect(lines).toEqual(['SUMMARY.md: it is the navigation'])
})

test('unknown GitBook blocks keep their content and have one line each', async () => {
  const { main, lines } = await render(
    '{% openapi src="https://example.com/api.json" path="/pets" method="get" %}\n[api.json](https://example.com/api.json)\n{% endopenapi %}\n\n{% if visitor.claims %}\nPrivate *words*\n{% endif %}\n{% if other %}\nMore\n{% endif %}\n\n{% @github-files/github-code-block\n  url="https://example.com/code" %}\n\n{% include "gone.md" %}',
  )
  expect(main).toMatch(
    /<code>GET \/pets<\/code>[^]*api\.json[^]*Private <em>words<\/em>[^]*More[^]*https:\/\/example\.com\/code[^]*gone\.md is not part of this copy/,
  )
  expect(main).not.toContain('{%')
  expect(lines.slice(1)).toEqual([
    'README.md: the block {% openapi %} (its content stays)',
    'README.md: the block {% if %} (its content stays)',
    'README.md: the block {% @github-files/github-code-block %} (its content stays)',
    'README.md: the include gone.md: there is no such file',
  ])
})

test('a GitBook project has the root, summary and redirects of its configuration, and the name of its first page', async () => {
  const { files, report } = await exportFiles({
    '.gitbook.yaml':
      'root: ./docs/\nstructure:\n  readme: README.md\n  summary: toc.md\nredirects:\n  old/page: basics/start.md\n  /older: ./README.md\n',
    'docs/toc.md': '* [Welcome](README.md)\n* [Start](basics/start.md)\n',
    'docs/README.md': '---\ndescription: The front page\n---\n\n![](.gitbook/assets/shot.png)\n',
    'docs/basics/start.md': '# First steps\n\n![](../.gitbook/assets/shot.png)\n',
    'docs/.gitbook/assets/shot.png': png,
    'docs/.gitbook/includes/part.md': 'part',
    '.gitbook/vars.yaml': 'a: 1',
  })
  expect(linkProblems(files)).toEqual([])
  expect(files.get('old/page.html')).toContain('url=../basics/start.html')
  expect(files.get('older.html')).toContain('url=index.html')
  expect(files.get('basics/start.html')).toMatch(/<title>First steps · Docs<\/title>[^]*<img src="\.\.\/media\/shot/)
  expect([...files.keys()].filter((file) => /part|toc/.test(file))).toEqual([])
  expect(report.lines.map(({ file, what }) => `${file}: ${what}`)).toEqual(['docs/toc.md: it is the navigation'])
})

test.each([
  ['.gitbook.yaml', ''],
  ['.gitbook/assets/shot.png', png],
])('a GitBook is found in any folder by its %s, and others are named', async (file, content) => {
  const { files, report } = await exportFiles({
    'README.md': '# Repository',
    'notes/SUMMARY.md': '# Only a page',
    'space/handbook/README.md': '# Handbook\n\n{% hint style="info" %}\nInside\n{% endhint %}\n',
    'space/handbook/SUMMARY.md': '* [Handbook](README.md)\n',
    [`space/handbook/${file}`]: content,
    'space/other/SUMMARY.md': '* [Other](README.md)\n',
    'space/other/README.md': '# Other',
    [`space/other/${file}`]: content,
  })
  expect(files.get('index.html')).toMatch(/<h1[^>]*>Handbook<\/h1>[^]*class="callout info"/)
  expect(report.lines.map(({ file: name, what }) => `${name}: ${what}`)).toContain(
    'space/handbook/: the site is made from the project in this folder; other folders with a configuration: space/other/',
  )
})

test('the cover of a GitBook page is its first picture, unless its layout hides it', async () => {
  const { files, report } = await exportFiles({
    ...book,
    'README.md': '---\ncover: .gitbook/assets/shot one.png\n---\n\n# Handbook\n\nText.\n',
    'basics/start.md':
      '---\ncover: ../.gitbook/assets/gone.png\ncoverY: 0\nlayout:\n  cover:\n    visible: false\n---\n\n# First steps\n\nText.\n',
    '.gitbook/assets/shot one.png': png,
  })
  expect(files.get('index.html')).toMatch(/<h1[^>]*>Handbook<\/h1>\s*<p><img src="media\/shot-one\.[^"]*\.png"/)
  expect(files.get('index.html')!.match(/<h1/g)).toHaveLength(1)
  expect(report.lines.map(({ file, what }) => `${file}: ${what}`)).toEqual(['SUMMARY.md: it is the navigation'])
})

test('a book whose first page has no title is named after its source', async () => {
  const { files } = await exportFiles({ ...book, 'README.md': 'Text.' })
  expect(files.get('basics/start.html')).toContain('<title>First steps · Test</title>')
})
