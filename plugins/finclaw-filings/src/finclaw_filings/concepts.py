"""Names that people use, and the tags of US-GAAP and IFRS in which companies report what they mean.

The order is that of preference where several tags stand side by side: the total first, narrower tags after it. Tags are
those of the FASB's US-GAAP and the IFRS Foundation's taxonomies, as they occur in SEC's companyfacts files, and of
Korea's `dart`, as they occur in OpenDART's statements.
"""

from __future__ import annotations


def _tags(us_gaap: str, ifrs: str = "", dei: str = "", dart: str = "") -> tuple[str, ...]:
    named = (("us-gaap", us_gaap), ("ifrs-full", ifrs), ("dei", dei), ("dart", dart))
    return tuple(f"{taxonomy}:{tag}" for taxonomy, tags in named for tag in tags.split())


CONCEPTS: dict[str, tuple[str, ...]] = {
    "revenue": _tags(
        "Revenues RevenueFromContractWithCustomerExcludingAssessedTax"
        " RevenueFromContractWithCustomerIncludingAssessedTax SalesRevenueNet SalesRevenueGoodsNet"
        " RevenuesNetOfInterestExpense",
        "Revenue RevenueFromContractsWithCustomers",
    ),
    "cost_of_revenue": _tags("CostOfRevenue CostOfGoodsAndServicesSold CostOfGoodsSold CostOfServices", "CostOfSales"),
    "gross_profit": _tags("GrossProfit", "GrossProfit"),
    "operating_expenses": _tags("OperatingExpenses CostsAndExpenses", "OperatingExpense"),
    "rd_expense": _tags(
        "ResearchAndDevelopmentExpense ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost",
        "ResearchAndDevelopmentExpense",
    ),
    "sga_expense": _tags(
        "SellingGeneralAndAdministrativeExpense GeneralAndAdministrativeExpense",
        "SellingGeneralAndAdministrativeExpense AdministrativeExpense",
        dart="TotalSellingGeneralAdministrativeExpenses",
    ),
    "operating_income": _tags("OperatingIncomeLoss", "ProfitLossFromOperatingActivities", dart="OperatingIncomeLoss"),
    "interest_expense": _tags("InterestExpense InterestExpenseNonoperating", "InterestExpense FinanceCosts"),
    "pretax_income": _tags(
        "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest"
        " IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments",
        "ProfitLossBeforeTax",
    ),
    "income_tax": _tags("IncomeTaxExpenseBenefit", "IncomeTaxExpenseContinuingOperations"),
    "net_income": _tags(
        "NetIncomeLoss ProfitLoss NetIncomeLossAvailableToCommonStockholdersBasic",
        "ProfitLossAttributableToOwnersOfParent ProfitLoss",
    ),
    "eps_basic": _tags("EarningsPerShareBasic EarningsPerShareBasicAndDiluted", "BasicEarningsLossPerShare"),
    "eps_diluted": _tags("EarningsPerShareDiluted EarningsPerShareBasicAndDiluted", "DilutedEarningsLossPerShare"),
    "assets": _tags("Assets", "Assets"),
    "current_assets": _tags("AssetsCurrent", "CurrentAssets"),
    "liabilities": _tags("Liabilities", "Liabilities"),
    "current_liabilities": _tags("LiabilitiesCurrent", "CurrentLiabilities"),
    "equity": _tags(
        "StockholdersEquity StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest",
        "EquityAttributableToOwnersOfParent Equity",
    ),
    "cash": _tags(
        "CashAndCashEquivalentsAtCarryingValue CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents Cash",
        "CashAndCashEquivalents Cash",
    ),
    "inventory": _tags("InventoryNet", "Inventories"),
    "receivables": _tags("AccountsReceivableNetCurrent ReceivablesNetCurrent", "TradeAndOtherCurrentReceivables"),
    "goodwill": _tags("Goodwill", "Goodwill"),
    "debt": _tags(
        "DebtLongtermAndShorttermCombinedAmount LongTermDebt LongTermDebtAndCapitalLeaseObligations"
        " LongTermDebtNoncurrent",
        "Borrowings LongtermBorrowings",
    ),
    "operating_cash_flow": _tags(
        "NetCashProvidedByUsedInOperatingActivities NetCashProvidedByUsedInOperatingActivitiesContinuingOperations",
        "CashFlowsFromUsedInOperatingActivities CashFlowsFromUsedInOperations",
    ),
    "investing_cash_flow": _tags(
        "NetCashProvidedByUsedInInvestingActivities", "CashFlowsFromUsedInInvestingActivities"
    ),
    "financing_cash_flow": _tags(
        "NetCashProvidedByUsedInFinancingActivities", "CashFlowsFromUsedInFinancingActivities"
    ),
    "capex": _tags(
        "PaymentsToAcquirePropertyPlantAndEquipment PaymentsToAcquireProductiveAssets",
        "PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities",
    ),
    "depreciation": _tags(
        "DepreciationDepletionAndAmortization DepreciationAmortizationAndAccretionNet DepreciationAndAmortization",
        "AdjustmentsForDepreciationAndAmortisationExpense DepreciationAndAmortisationExpense",
    ),
    "share_based_compensation": _tags("ShareBasedCompensation", "AdjustmentsForSharebasedPayments"),
    "dividends_paid": _tags(
        "PaymentsOfDividendsCommonStock PaymentsOfDividends PaymentsOfOrdinaryDividends",
        "DividendsPaidClassifiedAsFinancingActivities DividendsPaid",
    ),
    "dividends_per_share": _tags(
        "CommonStockDividendsPerShareDeclared CommonStockDividendsPerShareCashPaid",
        "DividendsRecognisedAsDistributionsToOwnersPerShare",
    ),
    "share_repurchases": _tags(
        "PaymentsForRepurchaseOfCommonStock", "PaymentsToAcquireOrRedeemEntitysShares PurchaseOfTreasuryShares"
    ),
    "shares_outstanding": _tags(
        "CommonStockSharesOutstanding", "NumberOfSharesOutstanding", "EntityCommonStockSharesOutstanding"
    ),
    "shares_basic": _tags(
        "WeightedAverageNumberOfSharesOutstandingBasic WeightedAverageNumberOfShareOutstandingBasicAndDiluted",
        "WeightedAverageShares",
    ),
    "shares_diluted": _tags(
        "WeightedAverageNumberOfDilutedSharesOutstanding WeightedAverageNumberOfShareOutstandingBasicAndDiluted",
        "AdjustedWeightedAverageShares",
    ),
}

# What every company reports for its years and quarters: their ends tell which balance-sheet dates are ends of a period.
ANCHORS = tuple(tag for name in ("net_income", "revenue", "operating_cash_flow") for tag in CONCEPTS[name])
