/** Words beside a share that say that a price goes down by it. */
export const REDUCTIONS =
  /(?<!\p{L})(?:off|discount\w*|rebate\w*|reduc\w+|cheaper|markdown|mark(?:ed)? down|coupon\w*|promo\w*|voucher\w*|savings?|save|saves|rabatt\w*|nachlass\w*|ermäßig\w*|günstiger|spar\w+|billiger|descuento\w*|rebaja\w*|remise\w*|réduction\w*|rabais|sconto|sconti|desconto\w*|korting|kedvezmény|zniżk\w*)(?!\p{L})|할인|세일|折扣|优惠|優惠|减价|割引|オフ|値引/iu;

/** Words that say of what else a share is: right behind it, or before it in the same sentence. */
export const OTHER_SHARES = {
  after:
    /^\s*(?:(?:of|der|des|de)\s+(?:the\s+|our\s+|all\s+|your\s+|alle\w?\s+|los\s+|las\s+)?(?:users?|customers?|people|requests?|orders?|time|cases|tests?|traffic|clients?|kunden|fälle|nutzer|anfragen|usuarios|clientes|cpu|memory|capacity|disk|battery|employees|team|votes?|respondents)|sure|certain|confident|correct|accurate|accuracy|convinced|positive|honest|complete|completed|done|finished|ready|satisfied|satisfaction|happy|money|refund\w*|guarantee\w*|committed|secure|safe|free|natural|organic|cotton|wool|leather|polyester|recycled|renewable|alcohol|uptime|availability|available|coverage|humidity|probability|chance|likely|likelihood|vat|tax|taxes|interest|apr|apy|tip|commission|growth|increase|more|higher|faster|market|margin|battery|charged|full|cpu|memory|load|usage|utili[sz]ation|packet|sicher|baumwolle|verfügbar\w*|mwst|mehrwertsteuer|zinsen|auslastung|algodón|seguro|iva|sûr|tva|coton|확실|순면|가동|부가세|纯棉|确定|增长|利息|税)/iu,
  before:
    /(?<!\p{L})(?:uptime|availability|coverage|cpu|memory|disk|battery|humidity|probability|chance|vat|tax|interest|apr|tip|commission|growth|grew|rose|increased?|raised?|accuracy|usage|utili[sz]ation|load|progress|completion|mwst|mehrwertsteuer|zinsen|zinssatz|auslastung|verfügbarkeit|iva|tva|cobertura|disponibilidad)(?:\s+(?:rate|level|score|is|was|are|of|at|by|to|now|has|reached|stands|about|around|only|over|just|still|currently|roughly|beträgt|liegt|bei|von|um|über|rund|etwa|del|de|es)){0,4}\s*[:=]?\s*[-+\u2212(]?\s*$|(?:가동률|점유율|확률|부가세|사용률|이자율)[은는이가]?\s*$|(?:增长|利率|概率|税率|使用率|可用性)(?:了|为|是|约)?\s*$/iu,
} as const;
