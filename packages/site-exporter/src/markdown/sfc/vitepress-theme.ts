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

const section = (heading: string) => `<template>
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

/** Components of the default theme of VitePress that show data, as components of Vue. */
export const themeComponents: ReadonlyMap<string, string> = new Map([
  ['VPTeamMembers', members],
  ['VPTeamPage', '<template>\n<slot />\n</template>'],
  ['VPTeamPageTitle', section('h1')],
  ['VPTeamPageSection', section('h2')],
  ['VPSponsors', sponsors],
  ['VPHomeSponsors', sponsors],
  [
    'VPButton',
    `<script setup>defineProps(['text', 'href'])</script>\n<template>\n<a :href="href">{{ text }}</a>\n</template>`,
  ],
])
