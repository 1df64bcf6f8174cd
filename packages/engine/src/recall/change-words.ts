/**
 * How a language asks for a value and tells that one has changed: all words that may stand beside what a text is about and its
 * values. A text with another word tells of something else, or is no plain statement: words that deny, doubt, plan or add are in none
 * of these lists. Words have `|` between, without accents.
 */
export interface ValueWords {
  /** Written without white space between words. */
  joined?: true
  /** In a query: those that ask, and of what is. None of them tells of what was. */
  asks: string
  /** That something has become what it was not. */
  changed: string
  /** What else may stand in a text that says so. */
  small: string
  /** What a new value stands behind; those behind which stands by how much something has changed are left out. */
  to: string
}

/** How a language tells that whoever speaks has a new home. Patterns of regular expressions. */
export interface HomeWords {
  /** In a query and in a text: where, and I live, or we do. */
  where: string
  lives: string
  /** All of a text but its ending, with `@` for the new place. */
  moved: string
  /** What may follow it. */
  when: string
}

export const valueWords: Readonly<Record<string, ValueWords>> = {
  en: {
    asks: 'what|which|when|where|how|who|much|many|time|day|date|is|are|the|of|for|my|our|do|does|we|i|s|current|currently|now|cost|costs|price|pay|a|an|on|at|in',
    changed:
      'changed|moved|switched|raised|increased|lowered|reduced|cut|extended|postponed|rescheduled|delayed|slipped|went|gone|rose|risen|fell|fallen|new|updated|brought|pushed|set',
    small:
      'the|my|our|of|for|we|i|ve|have|has|s|been|was|were|is|are|got|to|up|down|back|forward|date|price|cost|costs|just',
    to: 'to|is|now|are',
  },
  fr: {
    asks: 'est-ce|quel|quelle|quels|quelles|quand|ou|combien|est|sont|c|que|qu|ce|le|la|les|l|de|du|des|d|mon|ma|mes|notre|nos|a|heure|jour|date|coute|coutent|prix|a|au',
    changed:
      'change|changee|passe|passee|passes|deplace|deplacee|decale|decalee|reporte|reportee|repousse|repoussee|avance|avancee|augmente|monte|grimpe|baisse|prolonge|prolongee|nouveau|nouvelle|nouvel|desormais',
    small: 'le|la|les|l|de|du|des|mon|ma|mes|notre|nos|a|au|aux|est|ete|ont|on|j|ai|nous|avons|prix|date|en',
    to: 'a|au|aux|est',
  },
  de: {
    asks: 'was|wann|wo|wie|welcher|welche|welches|welchem|wieviel|viel|hoch|lautet|ist|sind|der|die|das|den|dem|des|mein|meine|unser|unsere|von|vom|fur|kostet|kosten|uhr|um|im|in|am|tag|zahlen|wir|ich|betragt|uhrzeit',
    changed:
      'geandert|gewechselt|verschoben|verlegt|gestiegen|gesunken|erhoht|gesenkt|reduziert|verlangert|vorverlegt|vorgezogen|steigt|neue|neuer|neues|neuen',
    small:
      'der|die|das|den|dem|des|mein|meine|unser|unsere|vom|von|fur|wurde|wurden|ist|sind|hat|haben|habe|wir|ich|auf|zu|zum|am|ab|jetzt|sofort|heute|in|lautet|betragt|kostet|zahlen|zahle|preis',
    to: 'auf|ist|wir|lautet|jetzt|betragt|zahlen|kostet',
  },
  es: {
    asks: 'que|cual|cuando|donde|cuanto|cuanta|cuantos|es|son|esta|el|la|los|las|de|del|mi|nuestro|nuestra|a|hora|dia|fecha|cuesta|cuestan|precio|vale|pagamos|pago|en',
    changed:
      'cambiado|cambie|cambio|cambiamos|pasado|paso|pasa|movido|subido|subio|sube|bajado|bajo|aumentado|aumento|reducido|aplazado|aplazada|pospuesto|retrasado|adelantado|ampliado|nuevo|nueva',
    small: 'el|la|los|las|de|del|mi|nuestro|nuestra|he|hemos|ha|han|se|sido|a|al|por|es|son|precio|fecha',
    to: 'a|al|por|es',
  },
  it: {
    asks: 'qual|quale|quando|dove|quanto|quanta|che|e|sono|il|lo|la|l|i|gli|le|di|del|della|dello|dell|mio|mia|nostro|nostra|a|ora|giorno|data|costa|costano|prezzo|paghiamo|pago|in|cosa',
    changed:
      'cambiato|cambiata|passato|passata|spostato|spostata|salito|salita|sceso|scesa|aumentato|aumentata|ridotto|rinviato|rinviata|posticipato|posticipata|anticipato|anticipata|prorogato|prorogata|nuovo|nuova',
    small:
      'il|lo|la|l|i|gli|le|del|della|dello|dell|mio|mia|nostro|nostra|ho|abbiamo|ha|hanno|e|stato|stata|a|al|alla|alle|in|per|prezzo|data',
    to: 'a|al|alle|in|e|per',
  },
  pt: {
    asks: 'qual|quais|quando|onde|quanto|quanta|que|e|sao|esta|o|a|os|as|de|do|da|dos|das|meu|minha|nosso|nossa|hora|horas|dia|data|custa|custam|preco|valor|pagamos|pago|em',
    changed:
      'mudou|mudei|mudamos|trocou|troquei|trocamos|passou|passei|subiu|aumentou|aumentado|baixou|caiu|reduzido|adiado|adiada|adiou|adiamos|remarcado|remarcada|antecipado|antecipada|prorrogado|prorrogada|novo|nova',
    small: 'o|a|os|as|do|da|dos|das|meu|minha|nosso|nossa|foi|e|para|pra|ao|preco|valor|data|nos|eu',
    to: 'para|pra|e|ao',
  },
  nl: {
    asks: 'wat|wanneer|waar|hoe|welke|welk|laat|hoeveel|is|zijn|de|het|een|van|voor|mijn|ons|onze|kost|kosten|prijs|betalen|we|dag|hoog|in|op|om',
    changed:
      'veranderd|gewijzigd|verzet|verplaatst|verschoven|uitgesteld|vervroegd|gestegen|verhoogd|gedaald|verlaagd|verlengd|nieuwe|nieuw|aangepast|voortaan',
    small: 'de|het|van|voor|mijn|ons|onze|is|zijn|heb|hebben|we|ik|naar|in|op|tot|prijs|werd',
    to: 'naar|in|is|tot|voortaan',
  },
  ru: {
    asks: 'какои|какая|какое|какие|когда|где|сколько|во|в|на|у|от|для|мои|моя|мое|наш|наша|наше|стоит|стоят|цена|время|день',
    changed:
      'изменил|изменила|изменили|изменился|изменилась|поменял|поменяла|поменяли|сменил|сменила|сменили|перенес|перенесла|перенесли|перенесен|перенесена|отложили|вырос|выросла|выросло|повысили|подняли|поднялась|подорожал|подорожала|снизили|снизилась|упала|новыи|новая|новое',
    small: 'я|мы|от|для|у|на|до|за|теперь|плата|цена|стоимость|мои|моя|наш|наша|наше|в',
    to: 'на|до|теперь',
  },
  uk: {
    asks: 'якии|яка|яке|коли|де|скільки|о|в|у|на|від|для|міи|моя|наш|наша|коштує|ціна|час|день',
    changed:
      'змінив|змінила|змінили|змінився|змінилась|поміняв|поміняла|поміняли|перенес|перенесла|перенесли|перенесено|відклали|зріс|зросла|зросло|підвищили|підняли|знизили|новии|нова|нове',
    small: 'я|ми|від|для|на|до|за|тепер|плата|ціна|міи|моя|наш|наша|в|у',
    to: 'на|до|тепер',
  },
  pl: {
    asks: 'jaki|jaka|jakie|kiedy|gdzie|ile|o|ktorej|jest|sa|do|od|na|dla|w|moj|moja|moje|nasz|nasza|kosztuje|kosztuja|cena|godzinie|dzien|wynosi',
    changed:
      'zmienilem|zmienilam|zmienil|zmienila|zmienilismy|zmieniono|przeniesiony|przeniesiona|przeniesione|przelozony|przelozona|przelozone|przesuniety|przesunieta|przesuniete|przesunelismy|przenieslismy|przelozylismy|wzrosl|wzrosla|wzroslo|podniesiono|spadl|spadla|obnizono|nowy|nowa|nowe',
    small: 'do|na|zostal|zostala|zostalo|jest|teraz|cena|od|dla|moj|moja|nasz|nasza|w|z',
    to: 'na|do|to|jest',
  },
  cs: {
    asks: 'jaky|jaka|jake|kdy|kde|kolik|v|je|jsou|k|od|na|pro|do|muj|moje|nas|nase|stoji|cena|hodin',
    changed:
      'zmenil|zmenila|zmenili|zmenen|zmenena|zmeneno|presunut|presunuta|presunuto|presunuli|prelozen|prelozena|odlozen|odlozena|odlozeno|vzrostl|vzrostla|vzrostlo|zvysil|zvysila|klesl|klesla|snizil|novy|nova|nove',
    small: 'jsem|jsme|se|na|byl|byla|bylo|k|od|pro|do|muj|moje|nas|nase|cena|je|z',
    to: 'na|je',
  },
  sv: {
    asks: 'vad|vilken|vilket|vilka|nar|var|hur|mycket|ar|till|for|pa|i|min|mitt|var|vart|kostar|pris|klockan|dag|koden',
    changed:
      'bytt|bytte|andrat|andrats|andrades|andrade|flyttat|flyttats|flyttades|hojts|hojdes|sankts|sanktes|okat|stigit|sjunkit|skjutits|senarelagts|tidigarelagts|nya|nytt|ny',
    small: 'jag|vi|har|till|for|pa|min|mitt|ar|fram|priset',
    to: 'till|ar',
  },
  da: {
    asks: 'hvad|hva|hvilken|hvilket|hvornar|nar|hvor|meget|mye|er|til|for|pa|i|min|mit|mitt|vores|var|vart|koster|pris|klokken|dag',
    changed:
      'skiftet|aendret|endret|byttet|flyttet|rykket|udskudt|utsatt|haevet|hevet|saenket|senket|steget|faldet|okt|nye|nyt|ny|nytt',
    small: 'jeg|vi|har|er|blevet|blitt|til|for|pa|min|mit|vores|var|prisen|den',
    to: 'til|er',
  },
  zh: {
    joined: true,
    asks: '是什么时候|什么时候|几点钟?|几号|哪天|哪一天|多少钱?|是什么|在哪里|在哪儿|哪里|什么|多少|几楼|我们?的?|是|在|的|要|呢|了|吗',
    changed:
      '换成|換成|改成|改为|改為|改到|改在|变成|變成|变更为|变更到|调到|調到|调整为|调整到|推迟到|推遲到|延期到|延到|提前到|涨到|漲到|升到|降到',
    small: '我们|我|把|的|已经?|了|将时间|时间|上午|下午|晚上|早上',
    to: '',
  },
  ja: {
    joined: true,
    asks: 'はいつですか|はいつ|はいくらですか|はいくら|は何ですか|は何時からですか|は何時ですか|は何時|は何日|はどこですか|はどこ|は何|です|か|は|の|何時|いつ|私|に|から',
    changed:
      '変更になりました|変更になった|変更されました|変更しました|変更した|変えました|変えた|変わりました|変わった|延期になりました|延期されました|延期しました|延期した|上がりました|上がった|下がりました|下がった|値上がりしました|なりました|になった',
    small: 'が|は|を|に|へ|から|の|午前|午後|値上げで',
    to: '',
  },
  ko: {
    asks: '언제|언제야|언제예요|언제인가요|얼마|얼마야|얼마예요|얼마인가요|뭐야|뭐예요|몇|시야|시예요|번호가|우리|내',
    changed:
      '바꿨어|바꿨어요|바꿨습니다|바뀌었어|바뀌었어요|바뀌었습니다|변경했어|변경했어요|변경했습니다|변경됐어|변경됐어요|변경되었습니다|미뤘어|미뤘어요|미뤄졌어|미뤄졌어요|연기됐어|연기됐어요|연기되었습니다|올랐어|올랐어요|올랐습니다|내렸어|내렸어요|앞당겼어',
    small: '우리|내|새',
    to: '',
  },
}

export const homeWords: Readonly<Record<string, HomeWords>> = {
  en: {
    where: 'where|which (?:city|town)',
    lives:
      '(?:(?:i|we) (?:now )?live|do (?:i|we) live|am i living|are we living|(?:i.m|we.re) living)(?: now)?(?!\\p{L})',
    moved: "(?:i|we)(?:['’]ve| have)?(?: just| now| finally)? moved to @",
    when: 'at last|now|(?:last|this) (?:week|month|year|spring|summer|autumn|winter)|yesterday|today|recently',
  },
  fr: {
    where: "(?:où|dans quelle ville)(?: est-ce qu(?:e|(?=['’ ])))?",
    lives: "j['’]habite|nous habitons|habitons[- ]nous|je vis|nous vivons",
    moved: "(?:j['’]ai|nous avons|on a)(?: enfin)? (?:dé|em)ménagé à @",
    when: 'enfin|hier|récemment|(?:le mois|la semaine|l.année|l.an|l.été) derni(?:er|ère)|cette (?:semaine|année)',
  },
  de: {
    where: 'wo|in welcher stadt',
    lives: 'ich (?:wohne|lebe)|(?:wohne|lebe) ich|wir (?:wohnen|leben)|(?:wohnen|leben) wir',
    moved: '(?:ich bin|wir sind)(?: jetzt| endlich| letzt\\p{L}+ \\p{L}+)? nach @ (?:um|ge)?(?:ge)?zogen',
    when: '(?!)',
  },
  es: {
    where: 'dónde|en qué ciudad',
    lives: 'vivo|vivimos',
    moved: '(?:me he mudado|nos hemos mudado|me mudé|nos hemos trasladado|me he trasladado) a @',
    when: 'por fin|ayer|(?:el mes|el año|la semana) pasad[oa]|est[ea] (?:mes|año|semana)|hace poco',
  },
  it: {
    where: 'dove|in quale città',
    lives: 'abito|abitiamo|vivo|viviamo',
    moved: '(?:mi sono|ci siamo) trasferit[oaie] a @',
    when: 'finalmente|ieri|(?:il mese|l.anno|la settimana) scors[oa]|da poco',
  },
  pt: {
    where: 'onde|em que cidade',
    lives: '(?:eu )?moro|(?:nós )?moramos|(?:eu )?vivo|(?:nós )?vivemos',
    moved:
      '(?:eu )?(?:me mudei|mudei-me|nos mudamos|mudámo-nos|acabei de me mudar|acabamos de nos mudar) para @',
    when: 'finalmente|ontem|(?:no mês|no ano|na semana) passad[oa]|este (?:mês|ano)',
  },
  nl: {
    where: 'waar|in welke stad',
    lives: 'ik woon|woon ik|(?:we|wij) wonen|wonen (?:we|wij)',
    moved: '(?:ik ben|(?:we|wij) zijn)(?: net| eindelijk)? (?:verhuisd naar @|naar @ verhuisd)',
    when: 'eindelijk|gisteren|vorige? (?:maand|week|jaar)',
  },
  pl: {
    where: 'gdzie|w jakim mieście',
    lives: 'mieszkam|mieszkamy',
    moved: 'przeprowadził(?:em|am|iśmy|yśmy) się do @|przeprowadzi(?:liśmy|łyśmy) się do @',
    when: 'wreszcie|wczoraj|niedawno|w zeszłym (?:miesiącu|roku|tygodniu)',
  },
  cs: {
    where: 'kde|v jakém městě',
    lives: 'bydlím|bydlíme',
    moved: '(?:přestěhoval(?:a)? jsem se|přestěhovali jsme se) do @',
    when: 'konečně|včera|nedávno|minulý (?:měsíc|rok|týden)',
  },
  ru: {
    where: 'где|в каком городе',
    lives: 'я (?:сейчас )?живу|мы (?:сейчас )?живём|живу|живём',
    moved: '(?:мы переехали|я переехала?) в @',
    when: 'наконец|вчера|недавно|в прошлом (?:месяце|году)',
  },
  uk: {
    where: 'де|у якому місті',
    lives: 'я живу|ми живемо|живу|живемо',
    moved: '(?:ми переїхали|я переїхала?|я переїхав) до @',
    when: 'нарешті|вчора|нещодавно|минулого (?:місяця|року)',
  },
  tr: {
    where: 'nerede|hangi şehirde',
    lives: 'yaşıyorum|yaşıyoruz|oturuyorum|oturuyoruz',
    moved: "(?:biz |ben )?(?:geçen (?:ay|yıl|hafta) )?@['’]y?[ae] taşındı[km]",
    when: '(?!)',
  },
  vi: {
    where: 'ở đâu|thành phố nào',
    lives: '(?:tôi|chúng tôi|mình) (?:đang )?(?:sống|ở)',
    moved:
      '(?:tôi|chúng tôi|gia đình tôi) (?:đã |vừa |mới )?(?:chuyển (?:nhà |nhà đến |nhà vào )|dọn )(?:đến |vào |ra |về )?@|(?:tôi|chúng tôi|gia đình tôi) (?:đã |vừa |mới )?chuyển (?:đến|vào|ra|về) @',
    when: 'rồi|(?:tháng|tuần|năm) (?:trước|ngoái|này)',
  },
  id: {
    where: 'di mana|kota mana',
    lives: '(?:saya|kami|aku) tinggal',
    moved: '(?:saya|kami|aku) (?:sudah |baru saja |telah )?pindah ke @',
    when: 'bulan lalu|minggu lalu|tahun lalu|kemarin',
  },
  hi: {
    where: 'कहाँ|किस शहर में',
    lives: '(?:मैं|हम)(?: अब)?(?: \\S+(?: में)?)? रहत(?:ा|ी|े) (?:हूँ|हैं)',
    moved: '(?:हम|मैं) @ शिफ्ट हो (?:गए|गया|गई) (?:हैं|हूँ)',
    when: '(?!)',
  },
  zh: {
    where: '在?(?:哪里|哪儿|什么地方|哪个城市)',
    lives: '我们?(?:现在)?住',
    moved: '(?:我们家?|我家)(?:上个月|上周|去年|今年|最近|昨天)?(?:已经)?(?:搬家到|搬到)了?@',
    when: '来?了',
  },
  ja: {
    where: '(?:どこ|どの町|どの街)に',
    lives: '(?<!(?<!私)は[^、]{0,20}|が.{0,20})住んで(?:い)?(?:ます|る)か?',
    moved:
      '(?:(?:私|私たち|僕)は|先月、?|先週、?|去年、?|最近、?|昨日、?)*@[にへ]引っ?越し(?:ました|た|たよ)',
    when: '(?!)',
  },
  ko: {
    where: '어디',
    lives: '(?:나는|저는|우리는|난) (?:\\S+ )?(?:살아|살고 있어|살아요|살고 있어요|삽니다)',
    moved:
      '(?:우리|우리는|나는|저는|우리 가족은) (?:지난달에 |작년에 |지난주에 )?@(?:으로|로) 이사(?:했어|했어요|했습니다|왔어|왔어요|갔어)',
    when: '(?!)',
  },
}
