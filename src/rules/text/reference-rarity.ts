/**
 * How rare a word is in technical English, by its stem: words of the same whole natural logarithm of (paragraphs ÷
 * paragraphs with the word) stand together. Counted once over 15,000 paragraphs of the documentation of some 400
 * packages, and shipped, so that a score never depends on which other rules or plans are at hand.
 */
export const REFERENCE: readonly (readonly [rarity: number, stems: string])[] = [
  [0.5, `is of the to`],
  [1.5, `an and ar as be by can for if in it not on or that this us when will with`],
  [
    2.5,
    `all any api but call cod command creat data default do error event exampl fil follow from funct has hav
    includ may method modul nam new no number object only opt other packag pass process property provid request
    return run se set should specify stream string support typ valu version which you`,
  ],
  [
    3.5,
    `abov access add additional after allow also applic argu array at attempt availabl bas becaus been befor
    behavior being boolean both buffer build byt callback cas caus chang check class clos configur connect
    contain context copy current defin dependency deprec detail direct directory document each either emit enabl
    encod end environ except execut exist fals field first flag format fs gener get giv handl header how http
    implement import indic inform input install instanc instead into invok issu its javascript json key level
    library licens lik limit lin list log mak match messag mor multipl must need non note null onc open oper
    optional order otherwiz out output parameter path port possibl project promiz publish read receiv releas
    remov represent requir resolv result sam script sect send server singl so socket som sourc specific start
    such system test than then ther thes they throw tim tru two undefin under updat url user via was way we wher
    whether whil window within without work would writ your`,
  ],
  [
    4.5,
    `abort about accept act activ actual address against algorithm already always another ap apis appropri ariz
    assign associ async asynchronous authentic author automatical avoid below between binary bind block body
    branch break browser bug bundl cach channel character child chunk ci claim cli client commit common commonj
    compatibility compil complet condit config consider consol constant constructor content continu contract
    contribut contributor control convert copyright cor correct correspond could custom damag dat deal debug
    depend describ descript descriptor destin destroy detect determin develop different disabl display distribut
    doc docu du during empty ensur entry env equal equivalent err etc even every exact executabl exit expect
    experimental explicit export expos express extension fail fast featur filenam final find fitness fix folder
    form fre full futur general git global grant group gyp handler help her hereby holder hook host however id
    identify ignor immediate imple imply index individual info integer interfac internal invalid iter itself
    just keep kind know last length liability liabl link listener load local locat long longer look loop main
    maintain major many map maximum md mean memory merchantability merg might millisecond mit mod modify most
    nativ necessary network never next nodej notic now obtain occur original over own parent pars part
    particular patch pattern per perform performanc permiss permit person pino pip plac platform pleas point
    prefix present prevent previous print produc program protocol prototyp proxy public pull purpos python query
    queu rang rather readabl reason recommend refer referenc register registry reject relativ replac report
    repository resolut resourc respons restrict right root rul runtim scop search second security separ serializ
    sess shall shar show sign signal similar sinc siz softwar special stack standard stat status stderr stdout
    step still stor structur subject supply sur symbol synchronous tag tak target team termin text their them
    thos thread through timeout token tool top tort trac transform transport tre treat try typical underly
    unicod unless until up usag useful usual util valid variabl verify wait want warn warranty web well wer what
    worker writabl zero`,
  ],
  [
    5.5,
    `abl absolut abstract accessibl accord account across addit advanc affect again agent alias along alternativ
    amount anything appear append apply approach arbitrary arg around ascii ask assert assum attach attribut
    auth await awar back backward bar basic becom begin behav behaviour benchmark best better bigint bin bit
    bound ca calcul captur catch certain chain charg choos cjs clean clear clon collect color column combin
    communic community compar comparison compatibl complete component comput concurrent conditional conduct
    conflict consequential consistent construct consum count cover coverag cpu crash credential customiz day
    declar decod definit delay delet dep deriv design desir dev developer diagnostic dictionary diff differenc
    dir discuss disk dispatch dist doing down download drop duplic easy ecmascript ecosystem edit effect ele
    encounter engin enough entir es escap esm establish eval evalu exceed exclud exec experienc extend external
    extra extract factor failur fallback fami fetch few fill filter finish flow flush foo forc fork forward ful
    functionality furnish further garbag glob go good googl greater guarante guid guidelin had happen hash
    helper high higher hold https identical identifier impact implicit important improv incorrect independent
    indirect inherit initial initializ insid inspect instanti instruct integr integrity intend interact
    interpret introduc involv item keyword kill languag larg larger later latest lead leak least leav legacy
    less let lib like linux literal lock lockfil logger logic loss low ls lts machin maco maintainer manag
    manager manifest manual mark material max measur mechanism member meta metadata minimum minor miss model
    modific mov much multi namespac nest noninfringe normal numeric off official offset often old older omit
    optimiz organiz origin os our outsid overhead overrid overridden overwrit pag pair parallel parser party
    password payload pend pipelin plugin policy posit positiv posix post potential pr practic pre prefer preserv
    primary primitiv prior priority problem product progress prompt proper provider push put quest quot rais
    random raw re reach readm ready real record recursiv redact redirect reduc regard regardless regexp regular
    relat relevant rely remain remot repo require reserv reset respective retain retriev retry review rfc saf
    satisfy sav sdk secur select selector sell semantic semver sequenc serializer servic several shell sid
    signatur significant simp simpl situ skip small something sometim sort spac spawn spec specifier speed src
    stabl stag state static stdin stop strategy strict stringify styl sublicens submit subsequent successful
    suit switch symlink syntax tarball task technical tell term terminal therefor thing third though thre thus
    together too track trail trigger trunc trust turn typeerror undici uniqu unit unix unknown unlik upgrad upon
    utf utility various very view visual vm vulnerability wasm websit whatwg whenever whitespac who whom whos
    why wish word world wrap wrapper yet`,
  ],
  [
    6.5,
    `ability acceptabl according achiev adjust adviz agre ai aim align almost alon alongsid alter alternative
    although analysis answer anyon app architectur argv artifact ast auto autom automatic away backend bad bash
    basis behind believ benefit beyond big brac bracket builtin business caller capability car careful carry
    caveat changelog choic cmd codebas colon comma comp compiler complex compliant compos concaten concern
    configurabl confirm consist const consumer consumpt contact container continuous contrast controll
    convenienc convenient conversion cost cours credit critical cross css cwd databas de decid decimal deep
    defer demonstr deno deploy depth despit deterministic dict differ digit discard disclaim disclosur distinct
    distinguish dot doubl drain durat dynamic ear earlier easi easier edg editor effectiv effective efficient
    effort eg els embed endpoint enforc english enhanc enter entire equality especial ever everything ex
    exclusion expand explain explan extreme fact fall far faster fatal favor fe feel filesystem fir fit forever
    framework frequent friend functional generic gnu goal going graceful graph great guard gzip hand hard head
    hello hid hierarchy historical history hit hom human idea ideal ie imag imp improve inc incompatibl infer
    infinit infinity inject insensitiv insert intent interactiv interrupt interval isc iso isol iterabl join
    lack layer layout learn lif lifecycl lightweight linear lint littl liv los lot lower lowercas maintenanc
    manage manipul matcher matter me meant media met migr min mind minimal minimiz minut mirror mismatch mix
    modern month ms mutat my necessari negligenc neither newlin nor normaliz notat nothing npx obj observ offer
    onlin op ordinary pack pacot param partial percent perfect period persist phas pick piec pin pkg plain plan
    plus polyfill popular possib possibility postcss power preced predefin preferenc prepend presenc pretty
    primari probab profit programmatical protect pur quick rac react reasonabl recent recogniz recursive red
    redistribut refactor reflect regex relationship removal renam render repeat replace reproduc resolver
    respect respond responsibl restor rewrit risk rm runner safe safety say scenario schema secret seg self sens
    sensitiv separate series serv setup sh shap ship short shorthand silent simplify sit slash slic slight slow
    slower smaller solut sourcemap split standalon star stay strip strong studio sub subdirectory subset
    substitut succe sufficient suffix suitabl summary sup suppress surfac sync tab tabl templ thank themselv
    think threshold throughput toolchain tortious tostr total transit transl ts tsconfig twic unchang underscor
    understand unexpect unify universal unnecessary unsaf unsupport uri usabl usr utiliz var variant variety
    vary vendor verbos versa vic void vs walk welcom whatever whatsoever whol wide wiki wildcard workflow wrong
    yaml yarn year yes yield yourself`,
  ],
  [
    7.5,
    `abbrevi acorn adapter adopt alpha alphabetical altern ambiguous analyz anywher appropriate articl assumpt
    backpressur badg basical baz blank boundary builder bump bun bundler canonical cb challeng circumstanc
    closest complexity confus consecutiv coordin coupl daniel dash david delimiter denial devi difficult
    directiv discord discover draft dramatical electron elsewher evolv exhaust fair fastest fastify fewer figur
    filepath finit footprint fresh gateway gmt grammar hack handy hardwar hot hug immutabl incre indefinite
    inlin inspir intermedi invers io josh jump lazy leverag logical magic malform meaningful negat overall
    overlap overview pnpm powerful powershell practical programmatic punctu quality rare redundant replacer rich
    robust rough round safer sanitiz scan seamless sequential severity shim shorter simplest somewher span
    sponsor squar subscript tap temp tend tidelift tiny transpil travers traversal trim typo ui unambiguous
    unescap unlike uppercas vercel visit visitor wherea whit width worry`,
  ],
];

/** The rarity of a word that the reference does not know. */
export const UNKNOWN_RARITY = 8;
