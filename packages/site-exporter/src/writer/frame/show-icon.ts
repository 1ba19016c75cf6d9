import { iconClass, type Icon } from '#markdown/icons/find-icon.ts'
import { markup, type Markup } from '#writer/markup.ts'

/** Glyph that the style sheet of icons draws. */
export const showIcon = (icon: Icon): Markup => markup`<span class="icon ${iconClass(icon)}" aria-hidden="true"></span>`
