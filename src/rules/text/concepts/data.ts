import type { Concept } from './concept.ts';

/** Databases, migrations and layers. */
export const DATA: readonly Concept[] = [
  {
    id: 'migration',
    domain: 'migration',
    words:
      'migration|migration script|migration file|up and down migration|alembic|flyway|liquibase|knex migrate|마이그레이션|迁移|迁移脚本',
    against:
      'by hand in production|by hand|manually in production|manually|directly in production|directly on production|on the live database|hot edit|in the production console|수동으로|직접 운영 db|운영에서 직접|手动|手工|直接在生产',
  },
  {
    id: 'schemachange',
    domain: 'migration',
    words:
      'schema change|schema|column|column type|alter table|add a column|rename the column|drop the column|table definition|schema sql|database schema|new index|스키마|컬럼|테이블 구조|表结构|字段类型|列类型|模式变更',
  },
  {
    id: 'rollback',
    domain: 'migration',
    words: 'rollback|roll back|reversible|revert plan|down migration|back out|롤백|되돌릴 수|回滚|可逆|可回退',
    against: 'irreversible|one way migration|되돌릴 수 없|不可逆',
  },
  { id: 'backup', domain: 'backup', words: 'backup|back up|snapshot before|restore test|백업|备份' },
  {
    id: 'transaction',
    domain: 'transaction',
    words: 'transaction|transactional|begin commit|atomic write|unit of work|트랜잭션|事务',
    against: 'half committed|separate writes|one after the other without',
  },
  {
    id: 'database',
    domain: 'database',
    words: 'database|db|postgres|mysql|sqlite|mongodb|orm|repository table|table|데이터베이스|디비|数据库|数据表',
  },
  {
    id: 'query',
    domain: 'database',
    words:
      'query|database query|select|db call|database call|fetch from the database|query the database|쿼리|질의|查询',
  },
  {
    id: 'loop',
    domain: 'loop',
    words:
      'loop|inside a loop|inside the loop|in a loop|for each|foreach|for every|iterate over|one by one|loop over|n 1|per item|each iteration|반복문|루프|하나씩|循环|逐个|逐条|遍历',
    against:
      'batch|in bulk|bulk|join|single query|one query|batch query|dataloader|eager load|한 번에|일괄|배치|조인|批量|一次性|联表',
  },
  {
    id: 'pagination',
    domain: 'pagination',
    words: 'pagination|paginate|page size|cursor|limit and offset|페이지네이션|페이징|分页',
    against:
      'return all rows|load everything|fetch everything|load all rows|entire table|all records at once|select star|전체를 한꺼번에|一次返回全部|全部返回',
  },
  { id: 'cache', domain: 'cache', words: 'cache|caching|memoize|ttl|redis cache|캐시|缓存' },
  {
    id: 'index',
    domain: 'database',
    words: 'database index|index on|indexed column|인덱스|索引',
    against: 'full table scan|table scan|unindexed',
  },
  {
    id: 'layering',
    domain: 'layers',
    words:
      'repository layer|service layer|through a repository|through the repository|via the service|order service|use case layer|domain layer|data access layer|go through a service|uses the repository|서비스 계층|리포지토리|레포지토리|서비스를 통해|服务层|仓储|数据访问层',
    against:
      'directly in the controller|database in the controller|bypassing the service|directly access the database|query the database directly|access the database directly|데이터베이스에 직접|디비에 직접|db에 직접|직접 접근|直接访问数据库|直接查询数据库|直接操作数据库',
  },
  {
    id: 'controller',
    domain: 'layers',
    words: 'controller|handler|route handler|view layer|ui component|컨트롤러|핸들러|控制器|处理器',
  },
  { id: 'config', domain: 'config', words: 'configuration|config|setting|configurable|설정|配置' },
];
