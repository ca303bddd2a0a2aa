// The rules that OData Data Aggregation 4.0 and OData Temporal Data 4.0 add to the OData ABNF.
// Copyright (c) OASIS Open. The notice stands in `GrammarText.swift`.

extension GrammarText {
    /// Data Aggregation 4.0.
    static let aggregation = #"""
        systemQueryOption =/ apply
        expandOption =/ apply
        boolMethodCallExpr =/ isdefinedExpr
        primitiveProperty =/ customAggregate
        firstMemberExpr =/ currCollectionExpr
        collectionPathExpr =/ %s"/aggregate" OPEN BWS aggregateFunctionExpr BWS CLOSE
        apply = ( "$apply" / "apply" ) EQ applyExpr
        applyExpr = applyTrafo *( "/" applyTrafo )
        applyTrafo = aggregateTrafo / computeTrafo / concatTrafo / groupbyTrafo / joinTrafo / nestTrafo
          / outerjoinTrafo / preservingTrafo / hierarchyTrafo
        preservingTrafo = bottomcountTrafo / bottompercentTrafo / bottomsumTrafo / filterTrafo / identityTrafo
          / orderbyTrafo / searchTrafo / skipTrafo / topTrafo / topcountTrafo / toppercentTrafo / topsumTrafo
          / hierarchyTrafo
        hierarchyTrafo = ancestorsTrafo / descendantsTrafo / traverseTrafo / customFunction
        preservingTrafos = preservingTrafo *( "/" preservingTrafo )
        hierarchyTrafos = hierarchyTrafo *( "/" hierarchyTrafo )
        aggregateTrafo = %s"aggregate" OPEN BWS aggregateExpr *( BWS COMMA BWS aggregateExpr ) BWS CLOSE
        aggregateExpr = ( aggrPathPrefix / aggrCastPath ) nonprimAggWith [ aggregateFrom ] asAlias
          / aggregatableExpW [ aggregateFrom ] asAlias
          / aggregateCount [ aggregateFrom ] asAlias
          / aggregateCustom [ [ customFrom ] asAlias ]
        aggregatableExpr = commonExpr
        aggregatableExpW = aggregatableExpr aggregateWith / [ aggrCastPath "/" ] aggrPrimPath aggregateWith
        aggrPathPrefix = [ aggrCastPath "/" ] aggrPropPath
        aggregateWith = RWS %s"with" RWS aggregateMethod
        nonprimAggWith = RWS %s"with" RWS nonprimAggMethod
        aggregateFrom = RWS %s"from" RWS groupingProperties aggregateWith [ aggregateFrom ]
        customFrom = RWS %s"from" RWS groupingProperties [ aggregateWith ] [ customFrom ]
        aggregateMethod = %s"sum" / %s"min" / %s"max" / %s"average" / nonprimAggMethod
        nonprimAggMethod = %s"countdistinct" / namespace "." odataIdentifier
        aggregateCount = %s"$count" / [ aggrCastPath "/" ] aggrPrimPath count / ( aggrPathPrefix / aggrCastPath ) count
        aggregateCustom = [ ( aggrPathPrefix / aggrCastPath ) "/" ] customAggregate
        asAlias = RWS %s"as" RWS expressionAlias
        expressionAlias = odataIdentifier
        customAggregate = odataIdentifier
        aggrPropStep = ( complexProperty / complexColProperty / entityNavigationProperty / entityColNavigationProperty )
          [ "/" aggrCastPath ]
        aggrPropPath = aggrPropStep [ "/" aggrPropPath ]
        aggrPrimPath = aggrPropStep "/" aggrPrimPath / primitiveProperty / primitiveColProperty / streamProperty
        aggrCastPath = optionallyQualifiedComplexTypeName / optionallyQualifiedEntityTypeName
        nestPropPath = ( complexProperty / complexColProperty )
          [ [ "/" optionallyQualifiedComplexTypeName ] "/" nestPropPath ]
        snglPropPath = ( complexProperty / entityNavigationProperty ) [ [ "/" aggrCastPath ] "/" snglPropPath ]
        snglPrimPath = ( complexProperty / entityNavigationProperty ) [ "/" aggrCastPath ] "/" snglPrimPath
          / primitiveProperty / streamProperty
        groupingProperty = [ aggrCastPath "/" ] ( snglPrimPath / snglPropPath )
        groupingProperties = groupingProperty *( BWS COMMA BWS groupingProperty )
        collectionExpr = commonExpr
        currCollectionExpr = %s"$these" collectionPathExpr
        computeTrafo = %s"compute" OPEN BWS computeExpr *( BWS COMMA BWS computeExpr ) BWS CLOSE
        computeExpr = commonExpr asAlias
        bottomcountTrafo = %s"bottomcount" OPEN BWS collectionExpr BWS COMMA BWS commonExpr BWS CLOSE
        bottompercentTrafo = %s"bottompercent" OPEN BWS collectionExpr BWS COMMA BWS commonExpr BWS CLOSE
        bottomsumTrafo = %s"bottomsum" OPEN BWS collectionExpr BWS COMMA BWS commonExpr BWS CLOSE
        concatTrafo = %s"concat" OPEN BWS applyExpr 1*( BWS COMMA BWS applyExpr ) BWS CLOSE
        nestTrafo = %s"nest" OPEN BWS nestApplyExpr BWS CLOSE
          / %s"addnested" OPEN BWS nestPath BWS COMMA BWS nestApplyExpr BWS CLOSE
        nestPath = [ aggrCastPath "/" ]
          ( [ nestPropPath "/" ] navigationProperty [ "/" optionallyQualifiedEntityTypeName ] / nestPropPath )
        nestApplyExpr = applyExpr asAlias *( BWS COMMA BWS applyExpr asAlias )
        joinTrafo = %s"join" OPEN BWS joinProperty asAlias [ BWS COMMA BWS applyExpr ] BWS CLOSE
        outerjoinTrafo = %s"outerjoin" OPEN BWS joinProperty asAlias [ BWS COMMA BWS applyExpr ] BWS CLOSE
        joinProperty = ( complexColProperty / complexAnnotationInQuery
          / entityColNavigationProperty [ "/" optionallyQualifiedEntityTypeName ]
          / entityAnnotationInQuery )
        ancestorsTrafo = %s"ancestors" OPEN BWS recHierReference BWS COMMA BWS preservingTrafos BWS
          [ COMMA BWS preservingTrafos BWS ] [ COMMA BWS 1*DIGIT BWS ] [ COMMA BWS %s"keep start" BWS ] CLOSE
        descendantsTrafo = %s"descendants" OPEN BWS recHierReference BWS COMMA BWS preservingTrafos BWS
          [ COMMA BWS preservingTrafos BWS ] [ COMMA BWS 1*DIGIT BWS ] [ COMMA BWS %s"keep start" BWS ] CLOSE
        traverseTrafo = %s"traverse" OPEN BWS recHierReference BWS COMMA BWS ( %s"preorder" / %s"postorder" ) BWS
          [ COMMA BWS preservingTrafos BWS ]
          [ COMMA BWS orderbyItem *( BWS COMMA BWS orderbyItem ) BWS ] CLOSE
        recHierReference = rootExpr BWS COMMA BWS recHierQualifier BWS COMMA BWS recHierPropertyPath
        recHierQualifier = odataIdentifier
        recHierPropertyPath = [ aggrCastPath "/" ] aggrPrimPath
        filterTrafo = %s"filter" OPEN BWS boolCommonExpr BWS CLOSE
        searchTrafo = %s"search" OPEN BWS ( searchExpr / searchExpr-incomplete ) BWS CLOSE
        groupbyTrafo = %s"groupby" OPEN BWS groupbyList [ BWS COMMA BWS applyExpr ] BWS CLOSE
        groupbyList = OPEN BWS groupbyElement *( BWS COMMA BWS groupbyElement ) BWS CLOSE
        groupbyElement = groupingProperty / rollupLevels / rollupRecursive
        rollupLevels = %s"rollup" OPEN BWS ( rollupUnnamedHier / rollupNamedHier ) BWS CLOSE
        rollupRecursive = %s"rolluprecursive" OPEN BWS recHierReference BWS [ COMMA BWS hierarchyTrafos BWS ] CLOSE
        rollupUnnamedHier = groupingProperty 1*( BWS COMMA BWS groupingProperty )
        rollupNamedHier = odataIdentifier
        identityTrafo = %s"identity"
        topcountTrafo = %s"topcount" OPEN BWS collectionExpr BWS COMMA BWS commonExpr BWS CLOSE
        toppercentTrafo = %s"toppercent" OPEN BWS collectionExpr BWS COMMA BWS commonExpr BWS CLOSE
        topsumTrafo = %s"topsum" OPEN BWS collectionExpr BWS COMMA BWS commonExpr BWS CLOSE
        topTrafo = %s"top" OPEN BWS 1*DIGIT BWS CLOSE
        skipTrafo = %s"skip" OPEN BWS 1*DIGIT BWS CLOSE
        orderbyTrafo = %s"orderby" OPEN orderbyItem *( BWS COMMA BWS orderbyItem ) CLOSE
        customFunction = namespace "." ( entityColFunction / complexColFunction / primitiveColFunction )
          functionExprParameters
        isdefinedExpr = %s"isdefined" OPEN BWS ( firstMemberExpr ) BWS CLOSE
        aggregateFunctionExpr = aggregatableExpW [ aggregateFrom ]
          / aggrPathPrefix nonprimAggWith [ aggregateFrom ]
          / aggregateCount [ aggregateFrom ]
          / aggregateCustom [ customFrom ]
        """#

    /// Temporal Data 4.0.
    static let temporal = #"""
        systemQueryOption =/ temporalOption
        expandOption =/ temporalOption
        temporalOption = at-option / from / to / toInclusive
        at-option = "$at" EQ temporalExpr
        from = "$from" EQ temporalExpr
        to = "$to" EQ temporalExpr
        toInclusive = "$toInclusive" EQ temporalExpr
        temporalExpr = "min" / "max" / commonExpr
        """#
}
